"""Audits a folder of configurations, and counts the lines that it understands."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from fabricgen.core.diagnostics import (
    Code,
    Diagnostic,
    Examined,
    Position,
    Severity,
    has_errors,
    shortened,
)
from fabricgen.core.record import record
from fabricgen.nos.registry import nos
from fabricgen.prove.audit import addresses, alike, rails, sessions
from fabricgen.prove.foreign.network import Network
from fabricgen.prove.foreign.reading import read, unreadable
from fabricgen.prove.foreign.switch import Judged, finding
from fabricgen.prove.invariants import laws
from fabricgen.prove.invariants.switch import one
from fabricgen.prove.repeated import lacking
from fabricgen.prove.share import Share, share
from fabricgen.prove.walk.effective import WITHOUT_HOPS, effective

_BOTH = frozenset({("vrf", "vni"), ("switch", "hostname")})


def _halves(switch: Judged) -> Iterator[tuple[str, str]]:
    """Yield VNIs of VRFs, and names, that only one of CONFIG_DB and frr.conf has.

    In split mode bgpcfgd does not write frr.conf (sonic-buildimage, docker_routing_config_mode).
    """
    if one(switch.own(("switch",)).get("routing-mode")).startswith("split"):
        yield from lacking(switch.facts, _BOTH, switch.by_file())


def judge_effects(network: Network) -> Examined:
    """Check that each line has the lines that it depends on."""
    found = [
        finding(Code.NO_EFFECT, f"{switch.name}: {each.why}", switch.place(each.key))
        for switch in network.switches
        for each in effective(switch.facts, switch.platform).idle
        if not each.why.endswith(WITHOUT_HOPS)
    ]
    found += [
        finding(Code.NO_EFFECT, f"{switch.name}: {path}: {why}", switch.top)
        for switch in network.switches
        for path, why in _halves(switch)
    ]
    objects = sum(len(switch.facts) for switch in network.switches)
    return Examined(
        check="effects",
        objects=objects,
        noun="objects that depend on others",
        findings=shortened(found, "lines without effect"),
    )


def judge_releases(network: Network) -> Examined:
    """Check every switch against known limits of its release; similar switches share a finding."""
    alike: dict[tuple[bool, str], list[tuple[str, Position]]] = {}
    for switch in network.switches:
        late = nos(switch.platform).flaws
        for flaw in late.load()(switch.found.texts) if late is not None else ():
            place = Position(switch.found.places[flaw.file], flaw.line, 1)
            alike.setdefault((flaw.refused, flaw.why), []).append((switch.name, place))
    findings = [
        _limit(Code.TIMER_REFUSED if refused else Code.RELEASE_FLAW, why, seen)
        for (refused, why), seen in alike.items()
    ]
    return Examined(
        check="releases",
        objects=len(network.switches),
        noun="switches",
        findings=shortened(findings, "limits of releases"),
    )


def _limit(code: Code, why: str, seen: list[tuple[str, Position]]) -> Diagnostic:
    (name, place), *others = seen
    more = f" and {len(others)} more" if others else ""
    severity = Severity.ERROR if code is Code.TIMER_REFUSED else Severity.WARNING
    said = f"{name}{more}: {why}"
    return finding(code, said, place, *(at for _, at in others), severity=severity)


CHECKS = (
    *(sessions.judge, addresses.judge, laws.examined, rails.judge, judge_releases),
    *(judge_effects, alike.judge),
)
"""All checks, in the order of their results."""


@record(kw_only=True)
class Judgment:
    """Result of an audit. `left`: files that are not configurations.

    `others`: configurations of an unsupported OS, with its name. `unjudged`: a sentence for each
    law that files of a platform cannot show.
    """

    switches: tuple[Judged, ...]
    examined: tuple[Examined, ...]
    share: Share
    left: tuple[str, ...]
    others: Mapping[str, str]
    unjudged: tuple[str, ...] = ()


def judged(place: Path, platform: str | None = None) -> Judgment:
    """Audit a folder or a file. `platform`: of all files, if they do not show it."""
    reading = read((place,), platform)
    switches, understood = reading.switches, share(reading.switches)
    findings = reading.findings
    if not understood.lines and not has_errors(findings):
        at = Position(str(place), 1, 1)
        findings += (
            finding(Code.CONFIG_UNREADABLE, "no line of the files contains a setting", at),
        )
    examined = Examined(
        check="configurations", objects=len(switches), noun="switches", findings=findings
    )
    network = Network(switches)
    return Judgment(
        switches=tuple(switches),
        examined=(examined, *(check(network) for check in CHECKS)),
        share=understood,
        left=tuple(name for name in reading.left if name not in reading.others),
        others=reading.others,
        unjudged=tuple(laws.unjudged(network)),
    )


def findings_of(switches: list[Judged]) -> list[Diagnostic]:
    """Return every finding about the read switches."""
    network = Network(switches)
    found = (item for check in CHECKS for item in check(network).findings)
    return [*unreadable(switches), *found]
