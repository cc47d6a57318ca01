"""Writes the pages of a site into a folder that a browser opens from disk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fabricgen.cli.web.chunk import as_script, file_name
from fabricgen.cli.web.chunks import chunks
from fabricgen.cli.web.pages.devices import FILES
from fabricgen.core.progress import tracked

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from fabricgen import Site, SiteDiff

_MOST_WITH_FILES = 1_000
STATIC = Path(__file__).parent / "static"


def report_files(
    site: Site, named: Collection[str] = (), change: SiteDiff | None = None
) -> Iterator[tuple[str, str]]:
    """Yield path and text of the files of a report: the application, then a script per chunk.

    Args:
        site: The site, valid or with errors.
        named: Switches and servers whose rendered files the report has. Default: all of a site
            with at most 1,000 switches and servers, else none.
        change: The review of a change, for a page of its own.
    """
    for path in sorted(STATIC.rglob("*")):
        if path.is_file():
            name = path.relative_to(STATIC).as_posix()
            yield name, path.read_text()
    every = [each for each in chunks(site, change) if _belongs(each[0], site, named)]
    for name, make in tracked("making pages", every):
        yield f"data/{file_name(name)}", as_script(name, make())


def _belongs(chunk: str, site: Site, named: Collection[str]) -> bool:
    if not chunk.startswith(FILES):
        return True
    if named:
        return chunk.removeprefix(FILES) in named
    return len(site.switches) + len(site.servers) <= _MOST_WITH_FILES
