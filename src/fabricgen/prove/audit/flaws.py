"""Judge what the release of each switch does badly, or refuses, of what its files ask."""

from fabricgen.core.diagnostics import Code, Diagnostic, Examined, Position, Severity, shortened
from fabricgen.nos.registry import nos
from fabricgen.prove.foreign.finding import finding
from fabricgen.prove.foreign.network import Network

NAME, NOUN = "releases", "switches"


def judge(network: Network) -> Examined:
    """Judge every switch by what is known of its release; switches alike share a finding."""
    alike: dict[tuple[bool, str], list[tuple[str, Position]]] = {}
    for switch in network.switches:
        late = nos(switch.platform).flaws
        for flaw in late.load()(switch.found.texts) if late is not None else ():
            place = Position(switch.found.places[flaw.file], flaw.line, 1)
            alike.setdefault((flaw.refused, flaw.why), []).append((switch.name, place))
    findings = [
        _finding(Code.TIMER_REFUSED if refused else Code.RELEASE_FLAW, why, seen)
        for (refused, why), seen in alike.items()
    ]
    return Examined(
        check=NAME,
        objects=len(network.switches),
        noun=NOUN,
        findings=shortened(findings, "limits of releases"),
    )


def _finding(code: Code, why: str, seen: list[tuple[str, Position]]) -> Diagnostic:
    (name, place), *others = seen
    more = f" and {len(others)} more" if others else ""
    severity = Severity.ERROR if code is Code.TIMER_REFUSED else Severity.WARNING
    said = f"{name}{more}: {why}"
    return finding(code, said, place, *(at for _, at in others), severity=severity)
