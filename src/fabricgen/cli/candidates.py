"""Lists completion candidates: sites, and the names in the site of the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.api import is_installed
from fabricgen.cli.plain import is_inert

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from click.shell_completion import CompletionItem

    from fabricgen.model.fabric.switch import Site

    Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]

_DEPTH = 3
"""Levels of folders that are searched for sites."""
_MOST_ENTRIES = 4_000
"""Folder entries that are searched. The shell completes folders in a larger tree."""


class _TooManyEntriesError(Exception):
    """A tree of folders is too large to search."""


def complete_sites(
    _context: click.Context, _parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return the sites below the typed folder. Without one, the shell completes folders."""
    from click.shell_completion import CompletionItem

    head, slash, start = incomplete.rpartition("/")
    prefix = head + slash
    try:
        found = list(_sites_below(Path(prefix).expanduser(), start))
    except _TooManyEntriesError:
        found = []
    words = [word for word in (f"{prefix}{path}" or "." for path in found) if is_inert(word)]
    return [CompletionItem(word) for word in words] or [CompletionItem(incomplete, type="dir")]


def _sites_below(top: Path, start: str) -> Iterator[str]:
    """Yield the paths of sites, relative to a folder; the first name of a path starts with `start`.

    Raises:
        _TooManyEntriesError: The tree has more entries than the limit.
    """
    from fabricgen.intent.files import is_site

    if not start and is_site(top):
        yield ""
        return
    left, level = _MOST_ENTRIES, {"": top}
    for _ in range(_DEPTH):
        below: dict[str, Path] = {}
        for prefix, folder in level.items():
            names = _list_names(folder)
            left -= len(names)
            if left < 0:
                raise _TooManyEntriesError
            shown = (name for name in names if not name.startswith("."))
            matching = (name for name in shown if prefix or name.startswith(start))
            below |= {prefix + name: folder / name for name in matching if (folder / name).is_dir()}
        found = {path for path, folder in below.items() if is_site(folder)}
        yield from (path for path in below if path in found)
        level = {f"{path}/": folder for path, folder in below.items() if path not in found}


def _list_names(folder: Path) -> list[str]:
    """List a folder. An unreadable folder is empty."""
    try:
        return sorted(path.name for path in folder.iterdir())
    except OSError:
        return []


def _completer(names: Callable[[click.Context], Iterable[str]]) -> Completer:
    """Return a completer that offers names."""

    def complete(
        context: click.Context, parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        from click.shell_completion import CompletionItem

        given = context.params.get(parameter.name or "")
        used = given if isinstance(given, tuple) else ()
        known = (name for name in names(context) if name not in used)
        return [CompletionItem(name) for name in known if name.startswith(incomplete)]

    return complete


def _site_folder(context: click.Context) -> Path | None:
    """Return the first argument of the command line that is a site.

    click leaves the arguments in `args` while the last option has no value.
    """
    from fabricgen.intent.files import is_site

    arguments = [item.name for item in context.command.params if isinstance(item, click.Argument)]
    values = [context.params.get(name or "") for name in ("site", *arguments)]
    for value in (*values, *context.args):
        for word in value if isinstance(value, tuple) else (value,):
            if isinstance(word, str | Path) and is_site(folder := Path(word).expanduser()):
                return folder
    return None


def _designed_site(context: click.Context) -> Site | None:
    """Design the site of the command line. Return None if it has errors."""
    folder = _site_folder(context)
    if folder is None:
        return None
    from fabricgen.compile.design.site import design_site
    from fabricgen.core.diagnostics import has_errors
    from fabricgen.intent.load import load_site

    loaded = load_site(folder)
    if loaded.intent is None or has_errors(loaded.findings):
        return None
    site, findings = design_site(loaded.intent)
    return None if has_errors(findings) else site


def _fabrics(context: click.Context) -> list[str]:
    site = _designed_site(context)
    return [fabric.name for fabric in site.fabrics] if site else []


def _switches(context: click.Context) -> list[str]:
    site = _designed_site(context)
    return _switches_in(site) if site else []


def _switches_in(site: Site) -> list[str]:
    return [switch.name for fabric in site.fabrics for switch in fabric.topology.switches]


def _servers_in(site: Site) -> list[str]:
    from fabricgen.nos.hosts.slices import HostSlicer

    return [server.name for server in HostSlicer(site).servers()]


def _servers(context: click.Context) -> list[str]:
    site = _designed_site(context)
    return _servers_in(site) if site else []


def _switches_and_fabrics(context: click.Context) -> list[str]:
    site = _designed_site(context)
    return [*_switches_in(site), *(fabric.name for fabric in site.fabrics)] if site else []


def _switches_and_servers(context: click.Context) -> list[str]:
    site = _designed_site(context)
    return [*_switches_in(site), *_servers_in(site)] if site else []


def _endpoints(context: click.Context) -> list[str]:
    """List the endpoints that `reach` accepts."""
    if not is_installed("prove.reach"):
        return []
    from fabricgen.prove.reach.endpoint_parser import known_words
    from fabricgen.prove.reach.stations import stands

    site = _designed_site(context)
    return sorted({*known_words(stands(site)), *_servers_in(site)}) if site else []


def _switch_models(context: click.Context) -> list[str]:
    return _models(context, "switches")


def _hardware(context: click.Context) -> list[str]:
    return _models(context, "switches", "nics", "asics", "optics")


def _models(context: click.Context, *kinds: str) -> list[str]:
    """List hardware of the catalog and of the site on the command line."""
    from fabricgen.model.catalog.catalog import SHIPPED

    catalog, folder = SHIPPED, _site_folder(context)
    if folder is not None:
        from fabricgen.intent.own_catalog import read_site_catalog

        catalog = read_site_catalog(folder)[1].catalog
    names = {
        "switches": catalog.switch_names(),
        "nics": catalog.nic_names(),
        "asics": catalog.asic_names(),
        "optics": [optic.name for optic in catalog.optics()],
    }
    return [name for kind in kinds for name in names[kind]]


def _platforms(_context: click.Context) -> Iterable[str]:
    from fabricgen.nos.registry import platforms

    return platforms()


def _running_labs() -> dict[str, list[str]]:
    """Return the switches of each running lab by its name. A booting lab has none."""
    if not is_installed("operate"):
        return {}
    from fabricgen.operate.lab.client import LabFailure
    from fabricgen.operate.lab.place import places

    found = {}
    for place in places():
        if place.alive:
            try:
                found[place.name] = list(place.facts()["switches"])
            except LabFailure:
                found[place.name] = []
    return found


def _lab_switches(context: click.Context) -> list[str]:
    """List the switches of the named lab, or of the only lab."""
    name = context.params.get("lab")
    chosen = [names for lab, names in _running_labs().items() if name in (None, lab)]
    return chosen[0] if len(chosen) == 1 else []


complete_fabrics = _completer(_fabrics)
complete_switches = _completer(_switches)
complete_servers = _completer(_servers)
complete_limits = _completer(_switches_and_fabrics)
complete_owners = _completer(_switches_and_servers)
complete_endpoints = _completer(_endpoints)
complete_switch_models = _completer(_switch_models)
complete_hardware = _completer(_hardware)
complete_platforms = _completer(_platforms)
complete_labs = _completer(lambda _context: _running_labs())
complete_lab_switches = _completer(_lab_switches)
