"""Results of the catalogue of checks on the switches of a site, running or recorded."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import field

from fabricgen.core.record import record
from fabricgen.model.fabric.switch import Site
from fabricgen.model.settings.watching import WatchLimits
from fabricgen.nos.registry import required_reader
from fabricgen.nos.show import Observed
from fabricgen.operate.deploy.targets import Target
from fabricgen.operate.state.recordings import RecordingError, Recordings
from fabricgen.prove.catalogue.engine import run
from fabricgen.prove.catalogue.model import Check, Finding, Outcome, Result, Severity, Subject
from fabricgen.prove.verifier import Look, Verifier, expectations


@record(kw_only=True)
class Verified:
    """Results of the checks on the switches of a site.

    Attributes:
        site: Name of the site.
        checks: The checks that ran.
        looks: Snapshots, by switch.
        results: One result for each check, by switch.
        unread: Switches that did not answer, with the reason.
        unasked: Switches without a state reader, by platform.
    """

    site: str = ""
    checks: tuple[Check, ...] = ()
    looks: Mapping[str, Look] = field(default_factory=dict)
    results: Mapping[str, tuple[Result, ...]] = field(default_factory=dict)
    unread: Mapping[str, str] = field(default_factory=dict)
    unasked: Mapping[str, list[str]] = field(default_factory=dict)

    @property
    def findings(self) -> list[Finding]:
        """Return every finding, switch by switch."""
        return [
            each for results in self.results.values() for one in results for each in one.findings
        ]

    @property
    def failed(self) -> bool:
        """Return whether a check with the severity of an error failed, or has not yet passed."""
        return any(map(fails, self.every()))

    @property
    def incomplete(self) -> bool:
        """Return whether a switch or the values of a check could not be read."""
        unread = (each.outcome is Outcome.UNREAD for each in self.every())
        return bool(self.unread or self.unasked) or any(unread)

    def every(self) -> Iterable[Result]:
        """Yield all results."""
        for results in self.results.values():
            yield from results


def fails(result: Result) -> bool:
    """Return whether a result fails `verify`. A warning does not."""
    bad = result.outcome in (Outcome.FAILED, Outcome.NOT_YET)
    return bad and result.severity is Severity.ERROR


def recorded(
    site: Site,
    targets: Mapping[str, Target],
    everything: Collection[str],
    checks: tuple[Check, ...],
    recordings: Recordings,
) -> Verified:
    """Check recorded switches. A switch without a recording is unread.

    Args:
        site: The site.
        targets: The switches to check.
        everything: Names of all switches that ran at the time of the recording.
        checks: The checks.
        recordings: The answers.
    """
    everywhere = expectations(site, frozenset(everything))
    wanted = {name: each for name, each in everywhere.items() if name in targets}
    unread: dict[str, str] = {}

    def ask(requests: Mapping[str, str]) -> dict[str, Observed]:
        found = {}
        for name in requests:
            if name not in recordings.switches:
                unread[name] = "the recording has no answers of this switch"
                continue
            try:
                found[name] = required_reader(wanted[name].platform).parse(recordings.answers(name))
            except RecordingError as error:
                unread[name] = str(error)
        return found

    looks = Verifier(ask, wanted).look() if wanted else {}
    return Verified(
        site=site.name,
        checks=checks,
        looks=looks,
        results=results_of(looks, checks, site.limits),
        unread=unread,
        unasked=unasked(targets.values(), wanted),
    )


def results_of(
    looks: Mapping[str, Look], checks: tuple[Check, ...], limits: WatchLimits | None = None
) -> dict[str, tuple[Result, ...]]:
    """Return the results of the checks, by switch."""
    return {
        name: run(
            checks,
            Subject(
                expected=look.expected,
                observed=look.observed,
                before=look.before,
                limits=limits or WatchLimits(),
                differences=look.differences,
            ),
            required_reader(look.expected.platform),
        )
        for name, look in looks.items()
    }


def unasked(targets: Iterable[Target], wanted: Collection[str]) -> dict[str, list[str]]:
    """Return the switches without a state reader, by platform."""
    found: dict[str, list[str]] = defaultdict(list)
    for target in targets:
        if target.name not in wanted:
            found[target.platform].append(target.name)
    return dict(found)
