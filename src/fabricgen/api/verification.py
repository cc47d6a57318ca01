"""Checks recorded answers of switches against a site."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fabricgen.api import require
from fabricgen.core.diagnostics import Code, Diagnostic, Failure
from fabricgen.core.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabricgen.intent.source import SourceMap
    from fabricgen.model.fabric.switch import Site
    from fabricgen.operate.state.verified import Verified
    from fabricgen.prove.catalogue.model import Finding, Result
    from fabricgen.prove.incidents.model import Incident


@record(kw_only=True)
class Verification:
    """The results of the checks on recorded switches.

    Attributes:
        incidents: Findings with a common cause, the worst first. Their times are not known.
        strangers: Recorded names that are no switches of the site.
    """

    verified: Verified
    source: SourceMap
    incidents: tuple[Incident, ...]
    strangers: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Return whether all values were read and no check failed. A warning does not count."""
        return not (self.verified.failed or self.verified.incomplete)

    @property
    def results(self) -> Mapping[str, tuple[Result, ...]]:
        """Return one result for each check, by switch."""
        return self.verified.results

    @property
    def findings(self) -> list[Finding]:
        """Return every finding, switch by switch."""
        return self.verified.findings

    @property
    def unread(self) -> Mapping[str, str]:
        """Return the switches without answers, with the reason."""
        return self.verified.unread

    def as_data(self) -> dict[str, Any]:
        """Return the results as data, with the keys of `fabricgen verify --format json`."""
        from fabricgen.api.incidents import data
        from fabricgen.api.verify_data import facts

        return {**facts(self.verified, self.source), "incidents": data(self.incidents)}

    def __repr__(self) -> str:
        """Return the numbers of switches, findings and incidents."""
        counts = f"{len(self.findings):,} findings, {len(self.incidents):,} incidents"
        return f"<Verification of {len(self.results):,} switches: {counts}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(name)}<td>{escape(each.check)}<td>{escape(each.outcome.value)}"
            f"<td>{escape(one.sentence)}</tr>"
            for name, results in self.results.items()
            for each in results
            for one in each.findings
        )
        head = "<tr><th>switch<th>check<th>result<th>finding</tr>"
        return f"<table>{head}{rows}</table>"


def verify(site: Site, source: SourceMap, answers: Path) -> Verification:
    """Check recorded answers, as `fabricgen verify --from` does. Nothing is stored.

    Raises:
        Failure: The recording cannot be read.
    """
    require("operate", "Site.verify")
    from fabricgen.api.incidents import incidents_of
    from fabricgen.operate.deploy.targets import targets_of
    from fabricgen.operate.state.recordings import RecordingError, opened
    from fabricgen.operate.state.verified import recorded
    from fabricgen.prove.catalogue.load import catalogue

    targets = targets_of(site)
    try:
        with opened(answers) as recordings:
            strangers = tuple(sorted(recordings.switches - targets.keys()))
            found = recorded(site, targets, targets.keys(), catalogue(), recordings)
    except RecordingError as error:
        raise Failure(Diagnostic(Code.UNREADABLE, str(error))) from error
    return Verification(
        verified=found,
        source=source,
        incidents=tuple(incidents_of(site, found)),
        strangers=strangers,
    )
