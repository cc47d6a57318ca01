"""Design the routes that the VRFs of one tenant import from those of another.

A VRF exports only its own routes. An imported route is not exported again, so there is no indirect
path.
"""

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from fabricgen.compile.design.addressing import prefix_of
from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.intent.model import tenants as words
from fabricgen.intent.paths import at
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.leaks import OUTSIDE, Taken, TakenPrefix
from fabricgen.model.fabric.overlay import Overlay, Vrf
from fabricgen.model.fabric.vrfs import NUMBER

_RULE = "only the listed prefixes of that VRF are imported, with the hosts of a subnet"


def with_leaks(overlay: Overlay, tenants: dict[str, words.Tenant], findings: Findings) -> Overlay:
    """Return the overlay with the imports between its VRFs."""
    design = _Design(overlay=overlay, findings=findings)
    every = [
        (
            name,
            vrf,
            at(*tenant.place(tenant_name, "vrfs", name)),
            tenant.shared(tenant_name, name),
        )
        for tenant_name, tenant in tenants.items()
        for name, vrf in (tenant.unless_refused("vrfs") or {}).items()
        if name in overlay.vrfs
    ]
    for name, vrf, path, shared in every:
        for source, prefixes in (vrf.unless_refused("import_routes") or {}).items():
            listed = [prefix_of(net) for net in prefixes]
            design.take(name, source, listed, (*path, "import_routes", source))
        for place, other in enumerate(vrf.unless_refused("share_routes") or ()):
            design.serve(name, other, (*shared, place))
    return design.result() if design.wanted else overlay


@dataclass(kw_only=True)
class _Design:
    """wanted: taker and source to the prefixes that are listed, and where."""

    overlay: Overlay
    findings: Findings
    wanted: dict[tuple[str, str], tuple[list[Ip], IntentPath]] = field(default_factory=dict)

    def take(self, taker: str, source: str, prefixes: list[Ip], path: IntentPath) -> None:
        """Record an import of a VRF, or report an unknown source."""
        if source == taker:
            text = f"the VRF {taker} imports routes from itself"
            self.findings.error(Code.LEAK_LOOP, text, path, "remove the entry")
        elif source not in self.overlay.vrfs:
            self.findings.unknown(
                f"the tenant has no VRF {source!r}", path, source, self.overlay.vrfs
            )
        else:
            listed, first = self.wanted.get((taker, source), ([], path))
            new = [prefix for prefix in prefixes if prefix not in listed]
            self.wanted[taker, source] = ([*listed, *new], first)

    def serve(self, name: str, other: str, path: IntentPath) -> None:
        """Let two VRFs take the subnets of each other's VLANs."""
        if other in self.overlay.vrfs:
            self.take(other, name, [*self.subnets(name)], path)
        self.take(name, other, [*self.subnets(other)], path)

    def subnets(self, vrf: str) -> dict[Ip, int]:
        """Return the subnets of a VRF with the ids of their VLANs, and of diagnostic addresses."""
        found = {
            gateway.subnet: vlan.id
            for vlan in self.overlay.vlans.values()
            for gateway in vlan.gateways
            if vlan.vrf == vrf
        }
        own = self.overlay.vrfs[vrf].diagnostics if vrf in self.overlay.vrfs else None
        return found if own is None else {**found, own.sources.whole: NUMBER}

    def routed(self, vrf: str) -> dict[Ip, int]:
        """Return the networks behind static routes of a VRF, each with its number."""
        every = [each for each in self.overlay.routes if each.vrf == vrf and each.port is None]
        return {each.prefix: each.number for each in reversed(every)}

    def accepted(self, vrf: str) -> set[Ip]:
        """Return the accepted prefixes of the external connections of a VRF."""
        peers = self.overlay.peers
        return {rule.prefix for peer in peers if peer.vrf == vrf for rule in peer.accept}

    def result(self) -> Overlay:
        """Return the overlay; report invalid imports and leave them out."""
        made: dict[str, list[Taken]] = {}
        for (taker, source), (listed, path) in sorted(self.wanted.items()):
            prefixes = self.prefixes(taker, source, listed, path)
            if prefixes:
                made.setdefault(taker, []).append(self.taken(source, prefixes, path))
        vrfs = {
            name: self.taking(vrf, tuple(made[name])) if name in made else vrf
            for name, vrf in self.overlay.vrfs.items()
        }
        for name, takes in made.items():
            self.apart(name, takes)
        return replace(self.overlay, vrfs=vrfs)

    def taking(self, vrf: Vrf, takes: tuple[Taken, ...]) -> Vrf:
        """Return an importing VRF, with only the listed prefixes of its sources."""
        rules = self.overlay.rules
        theirs = {target for each in takes for target in rules.given(each)} if rules else set()
        imports = tuple(target for target in vrf.pinned.imports if target not in theirs)
        return replace(vrf, takes=takes, pinned=replace(vrf.pinned, imports=imports))

    def taken(self, source: str, prefixes: list[TakenPrefix], path: IntentPath) -> Taken:
        vrf = self.overlay.vrfs[source]
        return Taken(
            source=source,
            id=vrf.id,
            vni=vrf.vni,
            prefixes=tuple(sorted(prefixes)),
            because=Provenance((path,), _RULE),
            pinned=vrf.pinned,
        )

    def prefixes(
        self, taker: str, source: str, listed: list[Ip], path: IntentPath
    ) -> list[TakenPrefix]:
        """Return the listed prefixes that the source has itself; report the others."""
        subnets, outside = self.subnets(source), self.accepted(source)
        routed = self.routed(source)
        found = []
        for place, prefix in enumerate(listed, 1):
            if prefix in subnets:
                found.append(TakenPrefix(subnets[prefix], prefix, prefix.bits))
            elif prefix in routed:
                found.append(TakenPrefix(routed[prefix], prefix, prefix.length))
            elif prefix in outside:
                self.warn(taker, source, prefix, path)
                found.append(TakenPrefix(OUTSIDE + 10 * place, prefix, prefix.length))
            else:
                self.refuse(taker, source, prefix, path)
        return found

    def warn(self, taker: str, source: str, prefix: Ip, path: IntentPath) -> None:
        """Report other subnets to which an external route leads: all subnets of its VRF."""
        first, last = prefix.network
        listed, _ = self.wanted[taker, source]
        other = [
            each for (vrf, _), (taken, _) in self.wanted.items() if vrf == source for each in taken
        ]
        open_ = [
            each
            for each in (*self.subnets(source), *other)
            if each.version == prefix.version
            and first <= each.network[0] <= last
            and each.length
            and each not in listed
        ]
        if open_:
            more = f" and {len(open_) - 1} more" if open_[1:] else ""
            self.findings.warn(
                Code.LEAKS_OVERLAP,
                f"{prefix} of {source} also leads {taker} to {open_[0].prefix}{more}, which is "
                f"not listed, because {source} routes the packet again",
                path,
                "list these prefixes, or move the external connection to a VRF without them",
            )

    def refuse(self, taker: str, source: str, prefix: Ip, path: IntentPath) -> None:
        """Report why a source cannot provide a prefix: it is imported, or does not exist there."""
        first = [
            other
            for (vrf, other), (listed, _) in self.wanted.items()
            if vrf == source and prefix in listed
        ]
        owner = next((other for other in first if prefix in self.subnets(other)), None)
        if owner is not None:
            sentence = (
                f"{source} imports {prefix} from {owner}, and imported routes are not exported "
                "again"
            )
            self.findings.error(Code.LEAK_LOOP, sentence, path, f"import it from {owner}")
        elif first:
            sentence = (
                f"{prefix} is imported in a circle: {taker} has it from {source}, {source} from "
                f"{first[0]}"
            )
            self.findings.error(
                Code.LEAK_LOOP, sentence, path, "import it from a VRF that has the prefix itself"
            )
        else:
            own = {*self.subnets(source), *self.routed(source), *self.accepted(source)}
            have = sorted(map(str, own))
            sentence = (
                f"{prefix} is not a subnet or static route of VRF {source}, and no external peer "
                "there accepts it"
            )
            sentence += "accept it there"
            self.findings.error(Code.BAD_VALUE, sentence, path, f"it has {', '.join(have)}")

    def apart(self, taker: str, takes: list[Taken]) -> None:
        """Refuse addresses that a VRF would have twice.

        An external prefix may contain subnets, as a default route does. It must not be part of a
        subnet, nor equal to an external prefix of another VRF.
        """
        own, outside = self.overlay.vrfs[taker].because.main, self.accepted(taker)
        every = [_Claim(prefix, taker, own, out=False) for prefix in self.subnets(taker)]
        every += [
            _Claim(prefix, taker, own, out=True) for prefix in {*outside, *self.routed(taker)}
        ]
        for each in takes:
            path = each.because.main
            every += [
                _Claim(rule.prefix, each.source, path, out=rule.outside) for rule in each.prefixes
            ]
        reach: _Claim | None = None
        for claim in sorted(every, key=lambda each: each.order):
            if reach is not None and claim.meets(reach):
                sentence = f"VRF {taker} has {claim.prefix} of {claim.vrf} and "
                sentence += f"{reach.prefix} of {reach.vrf}"
                path = claim.path if claim.vrf != taker else reach.path
                self.findings.error(Code.LEAKS_OVERLAP, sentence, path)
            if reach is None or not claim.out or claim.beyond(reach):
                reach = claim


class _Claim(NamedTuple):
    """A prefix in a VRF, and the VRF that it is of. out: it comes from outside."""

    prefix: Ip
    vrf: str
    path: IntentPath
    out: bool

    @property
    def order(self) -> tuple[int, int, int]:
        """Return the sort key: IP version, first address, length."""
        return self.prefix.version, self.prefix.network[0], self.prefix.length

    def beyond(self, before: "_Claim") -> bool:
        """Return whether the prefix ends after an earlier one, or has another IP version."""
        return (self.prefix.version, self.prefix.network[1]) > (
            before.prefix.version,
            before.prefix.network[1],
        )

    def meets(self, before: "_Claim") -> bool:
        """Return whether the prefix conflicts with an earlier one, or is longer."""
        if self.vrf == before.vrf or not self.prefix.meets(before.prefix):
            return False
        return not before.out or self.prefix == before.prefix
