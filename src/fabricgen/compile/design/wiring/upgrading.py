"""Apply spines whose links have another speed to a sized leaf-spine.

A spine with its own speed, and the uplinks to it, have the place that they would have if all spines
had that speed. So links are upgraded spine by spine. When the last one has the new speed, the key
of all spines may have it, and no port moves.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabricgen.compile.design.wiring.frontend_size import FrontendSize, size_frontend
from fabricgen.compile.design.wiring.naming import namer_of
from fabricgen.core.diagnostics import Code
from fabricgen.core.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabricgen.compile.design.findings import Findings
    from fabricgen.compile.design.wiring.faceplate import Faceplate
    from fabricgen.intent.model.frontend import Frontend
    from fabricgen.model.fabric.topology import Port

SERVERS = "servers"


def upgraded(words: Frontend, size: FrontendSize, site: str, findings: Findings) -> FrontendSize:
    """Return the sizes with the spines that have a speed of their own, or stop."""
    tier = size.spines
    if tier is None or size.superspines is not None:
        return size  # compile/design/pinned_models.py reports a switch without such links
    name = namer_of(words, "spine", "spine{index}", site)
    keys = [name(pod=1, index=slot + 1) for slot in range(tier.count)]
    sizes = {}
    for slot, key in enumerate(keys):
        if key in words.switches and words.switches[key].unless_refused("speed"):
            sizes[slot] = _as_if(words, key, tier.count, findings)
    own = {slot: each.spines for slot, each in sizes.items() if each.spines is not None}
    mix = _Mix(words=words, keys=keys, links=tier.per_pair, findings=findings)
    groups = {
        group: replace(
            there, face=mix.face(there.face, {n: it.groups[group].face for n, it in sizes.items()})
        )
        for group, there in size.groups.items()
    }
    return replace(size, groups=groups, own=own) if sizes else size


def _as_if(words: Frontend, key: str, count: int, findings: Findings) -> FrontendSize:
    """Return the sizes as if all spines were equal to one spine."""
    assert words.spine is not None
    said = words.switches[key]
    like = {"speed": said.speed, "model": said.model or words.spine.model, "count": count}
    return size_frontend(
        words.model_copy(update={"spine": words.spine.model_copy(update=like)}), findings
    )


@record(kw_only=True)
class _Mix:
    """Order of the cages of leafs. keys: keys of the spines, by slot. links: number to each."""

    words: Frontend
    keys: list[str]
    links: int
    findings: Findings

    def face(self, now: Faceplate, others: Mapping[int, Faceplate]) -> Faceplate:
        """Return the ports of a leaf with uplinks as other faces have them, by slot; or stop."""
        ports, up = _cages(now), list(now.up)
        owner = {port.cage: SERVERS for port in (*now.down, *now.managed, *now.peer)}
        for slot, key in enumerate(self.keys):
            if slot not in others:
                owner.update({port.cage: key for port in self.of(now, slot)})
        for slot, other in others.items():
            every = _cages(other)
            for cage in sorted({port.cage for port in self.of(other, slot)}):
                if cage in owner and every[cage] != ports[cage]:
                    raise self.taken(self.keys[slot], cage, owner[cage])
                ports[cage], owner[cage] = every[cage], self.keys[slot]
            up[slot * self.links : (slot + 1) * self.links] = self.of(other, slot)
        flat = tuple(port for cage in ports.values() for port in cage)
        return replace(now, ports=flat, up=tuple(up))

    def of(self, face: Faceplate, slot: int) -> tuple[Port, ...]:
        """Return the uplinks of a slot."""
        return face.up[slot * self.links : (slot + 1) * self.links]

    def taken(self, key: str, cage: int, owner: str) -> Exception:
        """Stop: a cage has links at another speed."""
        return self.findings.stop(
            Code.PORT_USED_TWICE,
            f"{key} at {self.words.switches[key].speed} needs cage {cage} of its leafs, which has "
            f"{'ports' if owner == SERVERS else 'links'} of {owner}",
            self.words.at("switches", key, "speed"),
            "use a leaf with more cages" if owner == SERVERS else f"upgrade {owner} first",
        )


def _cages(face: Faceplate) -> dict[int, tuple[Port, ...]]:
    found: dict[int, tuple[Port, ...]] = {}
    for port in face.ports:
        found[port.cage] = (*found.get(port.cage, ()), port)
    return found
