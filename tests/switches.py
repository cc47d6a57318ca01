"""Renders the switches of a site and none of its servers."""

from collections.abc import Iterator

from fabricgen.compile.compiler import File, files
from fabricgen.model.fabric.switch import Site
from fabricgen.model.fabric.topology import Switch


def files_of_switches(site: Site) -> Iterator[tuple[Switch, list[File]]]:
    """Yield the files of each switch; servers come after the switches and are not rendered."""
    for owner, group in files(site):
        if not isinstance(owner, Switch):
            return
        yield owner, group
