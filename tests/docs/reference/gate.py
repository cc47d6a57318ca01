"""Write the table of what a push checks on each platform, without an empty cell."""

from collections.abc import Iterator
from typing import Any

from fabricgen.core.tables import markdown_table
from fabricgen.nos.registry import nos, platforms, reader_of
from fabricgen.nos.show import Reader
from fabricgen.nos.traffic import Kind, Probe
from fabricgen.operate.deploy.push.checked import OTHERWISE, gate_checks
from fabricgen.prove.catalogue.load import catalogue
from fabricgen.prove.catalogue.model import Check

PAGE = "gate.md"
NAMES = {"linux": "Linux", "sonic": "SONiC", "eos": "EOS"}
_HEAD = """# Health checks by platform

The checks of a [push](health-checks.md) on each platform. A new failure rolls the batch back. The
push names a *guess* and an unread value. They fail no push.
"""
_PACKETS = {
    Kind.VLAN: "packets to the other ends of a VLAN",
    Kind.VRF: "packets to the other ends of a VRF",
    Kind.VTEP: "packets to other VTEPs in the underlay",
    Kind.SERVER: "packets to servers at own ports",
    Kind.ROUTED: "packets to servers through their VRF",
    Kind.APART: "packets to servers that a VRF must not reach",
}


def gate_page() -> str:
    """Return the page."""
    heads = ("check", *NAMES.values())
    lines = [_HEAD, "## Compared with the model", "", *markdown_table(heads, _compared()), ""]
    lines += ["## Compared with the state before the batch", ""]
    lines += [*markdown_table(("check", "comparison", *NAMES.values()), _before()), ""]
    lines += ["## Test packets", "", *markdown_table(("packets", *NAMES.values()), _probes())]
    return "\n".join(lines) + "\n"


def readers() -> dict[str, Reader]:
    """Return the state readers of this project, by platform."""
    found = ((name, reader_of(name)) for name in NAMES if name in platforms())
    return {name: reader for name, reader in found if reader is not None}


def _compared() -> Iterator[tuple[str, ...]]:
    for check in gate_checks():
        yield f"[{check.name}](checks.md#{check.name.lower()})", *_cells(check)


def _before() -> Iterator[tuple[str, ...]]:
    checks = {check.name: check for check in catalogue()}
    for name, how in OTHERWISE.items():
        yield f"[{name}](checks.md#{name.lower()})", how, *_cells(checks[name])


def _cells(check: Check) -> list[str]:
    return [_unasked(check, name) or cell(check, name, readers().get(name)) for name in NAMES]


def _unasked(check: Check, name: str) -> str:
    """Return why a push does not ask for the facts of a check."""
    reasons: dict[str, str] = getattr(_driver(name), "NOT_ASKED", {})
    return next((reasons[kind] for kind, _ in check.topics if kind in reasons), "")


def cell(check: Check, name: str, reader: Reader | None) -> str:
    """Return how a platform compares a check: yes, a guess, or the reason why it does not."""
    if reader is None:
        return f"{NAMES[name]} has no state reader"
    if name in check.absent:
        return check.absent[name]
    topics = [each for each in check.topics if each in reader.about]
    metrics = [each for each in check.metrics if each in reader.measured]
    if not topics and not metrics and not (check.rule and not check.metrics):
        return "its reader does not ask for it"
    keys = [*topics, *((each,) for each in metrics)]
    sources = [reader.sources.get(key) for key in keys]
    guesses = [each.guess for each in sources if each is not None and each.guess]
    if keys and len(guesses) == len(keys):
        return f"a guess: {guesses[0]}"
    return "yes"


def _probes() -> Iterator[tuple[str, ...]]:
    for kind, title in _PACKETS.items():
        yield title, *(_probe(name, kind) for name in NAMES)


def _probe(name: str, kind: Kind) -> str:
    found = probes(name)[kind]
    return found.how or found.lacks


def probes(name: str) -> dict[Kind, Probe]:
    """Return the test packets of the driver of a platform."""
    found: dict[Kind, Probe] = _driver(name).PROBES
    return found


def _driver(name: str) -> Any:
    driver = nos(name).driver
    assert driver is not None
    return driver.load()
