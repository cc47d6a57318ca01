"""Compute the `platform trident mmu` settings of a switch in cells.

EOS has one queue profile for the whole switch, so it gets the headroom of the port that needs most.
The pool bounds the sum of all ports. No document says whether `ingress headroom` counts for each
priority group or for the port. It is set to what all lossless groups of a port need, which is
enough in both cases. No source gives the reserved cells of a lossless group or its resume offset
for these models, so EOS keeps its defaults.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.buffers import SwitchBuffers
from fabricgen.model.fabric.qos import Qos
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.eos.view.qos import Memory

PROFILE = "LOSSLESS"
# Thresholds of EOS, by the exponent of two, and the maximum cells of a pool: schema of pyavd 6.4.0,
# platform.trident.mmu; `platform trident mmu headroom-pool limit cells ?` in avd issue 4921.
ALPHAS: Mapping[int, str] = {n: str(Fraction(2) ** n) for n in range(-7, 4)}
MOST_CELLS = 131_072


@record()
class Known:
    """Confidence in some lines of a model, and the source.

    `confidence`: `vendor document`, `vendor statement`, `field configuration` or `derived`.
    """

    confidence: str
    source: str

    @property
    def unseen(self) -> bool:
        """Return whether no source shows the line on this very model."""
        return self.confidence == "derived"


@lru_cache(maxsize=64)
def known(model: SwitchModel, of: str = "memory") -> Mapping[str, Known]:
    """Return the confidence in lines of a model.

    `of` is one of three names. `memory`: profile and pool of `platform trident mmu`. `tunnels`:
    dscp and ecn of `vxlan qos`. `gateway`: forwarding from one tunnel into another.
    """
    told = model.platforms.get("eos", {}).get(of, {})
    return {word: Known(row["confidence"], row["source"]) for word, row in told.items()}


def memory_of(switch_slice: SwitchSlice) -> Memory | None:
    """Return the memory settings; None without lossless classes or known support of the model.

    Profile and pool are written together, because only the pool limits a profile.
    """
    if switch_slice.buffers is None or switch_slice.qos is None or not switch_slice.qos.lossless:
        return None
    if known(switch_slice.switch.model).keys() < {"profile", "pool"}:
        return None
    return _memory(switch_slice.buffers, switch_slice.qos)


@lru_cache(maxsize=64)
def _memory(buffers: SwitchBuffers, qos: Qos) -> Memory | None:
    sizes = cells(buffers)
    if sizes is None or buffers.alpha not in ALPHAS:
        return None
    need, pool = sizes
    if not need or pool > MOST_CELLS:
        return None
    rule = "headroom of the port that needs most, and the pool of all, in cells of the chip"
    return Memory(
        because=Provenance(qos.because.paths, rule),
        profile=PROFILE,
        threshold=ALPHAS[buffers.alpha],
        headroom=need,
        pool=pool,
    )


def cells(buffers: SwitchBuffers) -> tuple[int, int] | None:
    """Return the cells of one port's headroom and of the pool; None if the cell is unknown."""
    if buffers.cell is None:
        return None
    most = max((port.headroom for port, _ in buffers.ports), default=0)
    return -(-most // buffers.cell) * buffers.classes, -(-buffers.headroom // buffers.cell)
