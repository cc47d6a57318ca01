"""Choose the load-balancing settings of EOS for a slice.

EOS hashes addresses, ports and the ingress port by default. annetutil/annet lists
`ip load-sharing trident fields ip` with these fields as "not visible in configuration", so the
five-tuple needs no line. Other field sets have a line. LAGs use the same hash as ECMP
(arista.com, TOI of EOS 4.20.1F, selectable hashing fields). This is why a `port-channel` command
hashes the queue pair.
"""

from collections.abc import Iterator
from functools import lru_cache

from fabricgen.core.diagnostics import Code, Diagnostic, IntentPath, Severity
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.balancing import FIVE_TUPLE, Field, LoadBalancing, Mode
from fabricgen.model.fabric.switch import SwitchSlice

# The destination queue pair is bytes 5 to 7 of the base transport header (InfiniBand Architecture
# Specification, 9.2), which follows the 8 bytes of UDP. So its offsets are 13 to 15, in
# aristanetworks/avd issue 5386 as in templates/eos/vlans.j2. `ip-protocol udp` (avd pull 5493)
# excludes TCP: the same bytes there are flags and window, and hashing them would reorder it.
FLOWLET = "flowlet"
# The words of annet's line, in its order; it has none for the protocol.
WORDS = (Field.SOURCE_IP, Field.SOURCE_PORT, Field.DESTINATION_IP, Field.DESTINATION_PORT)


def hashed(design: LoadBalancing) -> str | None:
    """Return the fields of the EOS hash line; None if the design has EOS's default fields."""
    chosen = frozenset(design.fields) - {Field.QUEUE_PAIR}
    if chosen == frozenset(FIVE_TUPLE) or Field.PROTOCOL in chosen:
        return None
    return " ".join(field for field in WORDS if field in chosen) or None


def queue_pairs(design: LoadBalancing, model: SwitchModel) -> bool:
    """Return whether the queue pair of RoCE is hashed, too."""
    return Field.QUEUE_PAIR in {*design.fields, *design.wished} & able(model)


def by_load(design: LoadBalancing, model: SwitchModel) -> bool:
    """Return whether ECMP paths are chosen by their load."""
    return design.mode is Mode.FLOWLET and FLOWLET in able(model)


@lru_cache(maxsize=64)
def able(model: SwitchModel) -> frozenset[str]:
    """Return the hash features of this model in the catalog: queue-pair, flowlet."""
    return frozenset(model.platforms.get("eos", {}).get("load_balancing", ()))


def balancing_gaps(switch_slice: SwitchSlice) -> Iterator[Diagnostic]:
    """Report features that this model is not known to have, and seeds, which are not written."""
    design, switch = switch_slice.balancing, switch_slice.switch
    if design is None:
        return
    here = design.because.main
    can = able(switch.model)
    if design.mode is Mode.FLOWLET and FLOWLET not in can:
        yield Diagnostic(
            Code.UNSUPPORTED,
            f"eos on {switch.model}: no document confirms load-based balancing (DLB)",
            path=(*here, "mode"),
            hint="use mode: ecmp",
        )
    yield from _queue_pair(design, switch.model, here, can)
    yield from _fields(design, here)
    if design.chained and design.mode is Mode.ECMP and not design.seeded:
        yield Diagnostic(
            Code.UNSUPPORTED,
            "eos: no public document has the command for a hash seed, so none is written; tiers "
            "with one default seed choose the same paths",
            path=here,
            hint="compare the use of uplinks under load",
            severity=Severity.WARNING,
        )


def _fields(design: LoadBalancing, here: IntentPath) -> Iterator[Diagnostic]:
    chosen = frozenset(design.fields) - {Field.QUEUE_PAIR}
    if chosen != frozenset(FIVE_TUPLE) and hashed(design) is None:
        yield Diagnostic(
            Code.UNSUPPORTED,
            "eos: hash fields are any of addresses and ports; the protocol is possible only with "
            "all five",
            path=(*here, "hash"),
            hint="select addresses or ports without protocol, or all five",
        )


def _queue_pair(
    design: LoadBalancing, model: SwitchModel, here: IntentPath, can: frozenset[str]
) -> Iterator[Diagnostic]:
    if Field.QUEUE_PAIR in can or Field.QUEUE_PAIR not in (*design.fields, *design.wished):
        return
    wished = Field.QUEUE_PAIR in design.wished
    yield Diagnostic(
        Code.UNSUPPORTED,
        f"eos on {model}: no document confirms hashing of the queue pair"
        + (f"; {design.flows.sentence(queue_pairs=False)}" if wished and design.flows else ""),
        path=here if wished else (*here, "hash"),
        hint="it is omitted" if wished else "remove queue-pair from `hash`",
        severity=Severity.WARNING if wished else Severity.ERROR,
    )
