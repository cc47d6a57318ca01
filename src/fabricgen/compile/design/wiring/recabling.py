"""Report how many switch cables move when a backend doubles.

The doubled backend is sized like the requested one. Each cable of today is looked up in it by its
port on the lower switch. A cable moves if its slot or its port above differs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.wiring.backend_size import size_backend
from fabricgen.core.diagnostics import Code, Stop

if TYPE_CHECKING:
    from fabricgen.compile.design.wiring.backend_counts import BackendSize
    from fabricgen.compile.design.wiring.faceplate import Faceplate
    from fabricgen.compile.design.wiring.tiers import Tier
    from fabricgen.intent.model.backend import Backend

    Ends = dict[tuple[object, ...], tuple[object, ...]]


def say_recabling(intent: Backend, size: BackendSize, findings: Findings) -> None:
    """Warn of a backend that reserves nothing and has to be recabled when it grows."""
    if intent.growth.servers is not None or size.spines is None:
        return
    twice = 2 * intent.servers.count
    servers = intent.servers.model_copy(update={"count": twice})
    try:
        grown = size_backend(intent.model_copy(update={"servers": servers}), Findings())
    except Stop:
        return  # it cannot double at all: then the hardware has to change
    now, then = _cables(size), _cables(grown)
    moved = sum(then.get(end) != far for end, far in now.items())
    if moved:
        planes = size.servers.planes
        findings.warn(
            Code.GROWTH_TOO_SMALL,
            f"no growth is reserved: with {twice:,} servers, {moved * planes:,} of the "
            f"{len(now) * planes:,} cables between switches would move to other ports",
            intent.at("growth"),
            f"set `growth: {{servers: {twice}}}` if it may grow so far",
        )


def _cables(size: BackendSize) -> Ends:
    """Return the far end of each cable of one plane, by its near end: both as coordinates."""
    ends: Ends = {}
    if size.spines is None:
        return ends
    for unit in range(size.units):
        for leaf in range(size.groups(unit + 1)):
            block, place = size.seat(unit, leaf)
            for near, far in _pairs(size.leaf, size.spines, place):
                ends["leaf", unit, leaf, near] = ("spine", block, far)
    if size.superspines is not None:
        for block, _, _ in size.blocks:
            for spine in range(size.spines.count):
                for near, far in _pairs(size.spines.face, size.superspines, block):
                    ends["spine", block, spine, near] = ("superspine", spine, far)
    return ends


def _pairs(lower: Faceplate, tier: Tier, place: int) -> Iterator[tuple[object, object]]:
    """Yield near and far end of the uplinks of the lower switch of that place."""
    for slot in range(tier.count):
        for k in range(tier.per_pair):
            near = lower.up[slot * tier.per_pair + k]
            far = tier.face.down[place * tier.per_pair + k]
            yield (near.cage, near.sub), (slot, far.cage, far.sub)
