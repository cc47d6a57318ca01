"""A folder of configurations in; everything that is wrong in them, and what was understood, out."""

from collections.abc import Mapping
from pathlib import Path

from fabricgen.core.diagnostics import Code, Diagnostic, Examined, Position, has_errors
from fabricgen.core.record import record
from fabricgen.prove.audit import addresses, alike, flaws, idle, rails, sessions
from fabricgen.prove.foreign.finding import finding
from fabricgen.prove.foreign.network import Network
from fabricgen.prove.foreign.reading import read, unreadable
from fabricgen.prove.foreign.switch import Judged
from fabricgen.prove.invariants import laws
from fabricgen.prove.share import Share, share

CHECKS = (
    *(sessions.judge, addresses.judge, laws.examined, rails.judge, flaws.judge),
    *(idle.judge, alike.judge),
)
"""Everything that is judged, in the order it is told."""


@record(kw_only=True)
class Judgement:
    """What came out. left: files that are no configuration.

    others: configurations of an OS that is not read, with its name. unjudged: a sentence for each
    law that files of a platform cannot show.
    """

    switches: tuple[Judged, ...]
    examined: tuple[Examined, ...]
    share: Share
    left: tuple[str, ...]
    others: Mapping[str, str]
    unjudged: tuple[str, ...] = ()


def judged(place: Path, platform: str | None = None) -> Judgement:
    """Judge a folder or a file. platform: of all files, where it cannot be told from them."""
    reading = read((place,), platform)
    switches, understood = reading.switches, share(reading.switches)
    findings = reading.findings
    if not understood.lines and not has_errors(findings):
        at = Position(str(place), 1, 1)
        findings += (finding(Code.CONFIG_UNREADABLE, "no line here says anything", at),)
    examined = Examined(
        check="configurations", objects=len(switches), noun="switches", findings=findings
    )
    network = Network(switches)
    return Judgement(
        switches=tuple(switches),
        examined=(examined, *(check(network) for check in CHECKS)),
        share=understood,
        left=tuple(name for name in reading.left if name not in reading.others),
        others=reading.others,
        unjudged=tuple(laws.unjudged(network)),
    )


def findings_of(switches: list[Judged]) -> list[Diagnostic]:
    """Return every finding about switches that were read."""
    network = Network(switches)
    found = (item for check in CHECKS for item in check(network).findings)
    return [*unreadable(switches), *found]
