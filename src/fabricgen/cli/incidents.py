"""Shows the incidents of `verify` in each format."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

from fabricgen.core.record import record

if TYPE_CHECKING:
    from fabricgen.model.fabric.switch import Site
    from fabricgen.operate.state.timeline.begun import Began
    from fabricgen.operate.state.verified import Verified


@record()
class Grouped:
    """Incidents in each format: lines of text, data, and lines of Markdown."""

    text: list[str] = field(default_factory=list)
    data: list[dict[str, Any]] = field(default_factory=list)
    markdown: list[str] = field(default_factory=list)


def grouped(site: Site, result: Verified, began: Began | None = None) -> Grouped:
    """Return the incidents of a site, the worst first. `began`: first times of findings."""
    from fabricgen.api.incidents import data, incidents_of
    from fabricgen.cli.formats.incidents import table, text

    found = incidents_of(site, result, began)
    return Grouped([*text(found)], data(found), table(found))
