"""Design an external peer for each link of a VRF to a firewall pair.

This module designs both units, so the tags, addresses, ASNs and preferences of one match those of
the other.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from netaddr import IPAddress, IPNetwork

from fabricgen.compile.design.addressing import prefix_of
from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, IntentPath, dotted
from fabricgen.core.provenance import Provenance
from fabricgen.intent.model.edge import EdgeLink, ExternalPeer
from fabricgen.intent.model.firewalls import Firewall as FirewallWords
from fabricgen.intent.model.firewalls import FirewallLeg
from fabricgen.intent.model.frontend import Frontend
from fabricgen.intent.model.tenants import Tenant, Vrf
from fabricgen.intent.paths import at
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.vrfs import Firewall

_STANDBY: tuple[Literal["primary"], Literal["backup"]] = ("primary", "backup")
_RULE = "each VRF on it has a session over every link"


def behind_firewalls(
    words: Frontend, tenants: dict[str, Tenant], findings: Findings
) -> tuple[dict[str, Tenant], dict[str, Firewall]]:
    """Return the tenants with the peers that follow from their legs, and the firewalls."""
    said: dict[str, FirewallWords] = words.unless_refused("firewalls") or {}
    legs = [(tenant, vrf) for tenant, each in tenants.items() for vrf in _with_legs(each)]
    if not said and not legs:
        return tenants, {}
    links: dict[str, EdgeLink] = words.unless_refused("edge") or {}
    step = _Design(said=said, links=links, here=at(*words.at("firewalls")), findings=findings)
    for name, told in said.items():
        with findings.going_on():
            step.pair(name, told)
    made = dict(tenants)
    for tenant, vrf in legs:
        with findings.going_on():
            here = at(*tenants[tenant].place(tenant, "vrfs", vrf, "firewalls"))
            made[tenant] = step.reached(made[tenant], vrf, here)
    step.unused()
    return made, step.pairs


def _with_legs(tenant: Tenant) -> list[str]:
    vrfs: dict[str, Vrf] = tenant.unless_refused("vrfs") or {}
    return [name for name, vrf in vrfs.items() if vrf.unless_refused("firewalls")]


@dataclass(kw_only=True)
class _Design:
    """Design of firewall pairs and their legs. owners: the pair of each link.

    tags, pools: tags and pools of the legs of a pair, with their intent keys.
    """

    said: Mapping[str, FirewallWords]
    links: Mapping[str, EdgeLink]
    here: IntentPath
    findings: Findings
    pairs: dict[str, Firewall] = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)
    tags: dict[tuple[str, int], str] = field(default_factory=dict)
    pools: dict[str, list[Ip]] = field(default_factory=dict)

    def pair(self, name: str, told: FirewallWords) -> None:
        """Take down a pair, or say why it is none."""
        before, path = len(self.findings.items), (*self.here, name)
        for number, unit in enumerate(told.units):
            for place, link in enumerate(unit.links):
                self.link(name, link, (*path, "units", number, "links", place))
        self.holds(name, told, path)
        if len(self.findings.items) == before:
            self.pairs[name] = Firewall(
                name=name,
                asn=told.asn,
                both_active=told.mode == "active-active",
                units=tuple(tuple(unit.links) for unit in told.units),
                because=Provenance((path,), _RULE),
            )

    def holds(self, name: str, told: FirewallWords, path: IntentPath) -> None:
        """Report units that end together, and connections that would meet the wrong one."""
        every = (link for unit in told.units for link in unit.links)
        leafs = {self.links[link].leaf for link in every if link in self.links}
        if len(leafs) == 1:
            self.none(
                f"both units of {name} are on leaf {min(leafs)}, so neither is reachable without "
                "it",
                (*path, "units"),
                "connect one unit or both to another leaf",
            )
        if told.mode == "active-active" and not told.shares_state:
            self.none(
                f"both units of {name} are active and share no state: a unit drops answers of "
                "connections that it does not know",
                (*path, "mode"),
                "set `shares_state: true` if they share it, otherwise `mode: active-standby`",
            )

    def link(self, name: str, link: str, path: IntentPath) -> None:
        """Check one link of a unit: it is there, and ends on this unit alone."""
        if link not in self.links:
            self.findings.unknown(f"no link of the edge is named {link}", path, link, self.links)
        elif link in self.owners:
            self.none(
                f"the link {link} already ends on a unit of {self.owners[link]}, and a cable has "
                "one remote end",
                path,
                "use a separate link for each unit",
            )
        self.owners.setdefault(link, name)

    def none(self, message: str, path: IntentPath, hint: str) -> None:
        """Report why two units are no pair."""
        self.findings.error(Code.FIREWALL_NO_PAIR, message, path, hint)

    def reached(self, tenant: Tenant, name: str, here: IntentPath) -> Tenant:
        """Return a tenant with the peers that follow from the legs of one of its VRFs."""
        vrf = tenant.vrfs[name]
        peers: dict[str, ExternalPeer] = {}
        for firewall, leg in vrf.firewalls.items():
            path = (*here, firewall)
            if self.possible(firewall, leg, vrf, path):
                peers.update(self.peers(firewall, leg, path))
        return with_peers(tenant, name, peers)

    def possible(self, name: str, leg: FirewallLeg, vrf: Vrf, path: IntentPath) -> bool:
        """Return whether a leg is possible; report a reason that the pair does not report."""
        if name not in self.said:
            self.findings.unknown(f"no firewall {name!r}", path, name, self.said)
        if name not in self.pairs:
            return False
        before = len(self.findings.items)
        links = [link for unit in self.pairs[name].units for link in unit]
        for taken in (each for each in (name, *links) if each in vrf.external):
            sentence = f"the VRF already has an external peer {taken}"
            self.findings.error(Code.DUPLICATE_ID, sentence, path, "rename that peer")
        other = self.tags.setdefault((name, leg.vlan), dotted(path))
        if other != dotted(path):
            self.findings.error(
                Code.TAG_CLASH,
                f"the tag {leg.vlan} of {name} is already used by {other}: frames of both would "
                "arrive in one VRF",
                (*path, "vlan"),
            )
        self.roomy(name, leg, path)
        return len(self.findings.items) == before

    def roomy(self, name: str, leg: FirewallLeg, path: IntentPath) -> None:
        """Report a pool without two addresses for each link, or with addresses of another leg."""
        need = 4 * max(map(len, self.pairs[name].units))
        for key, pool, width in (("pool", leg.pool, 32), ("pool6", leg.pool6, 128)):
            if pool is not None and pool.size < need:
                self.findings.error(
                    Code.POOL_TOO_SMALL,
                    f"{pool} has {pool.size} addresses, but the links of {name} need {need}",
                    (*path, key),
                    f"use a /{width - (need - 1).bit_length()}",
                )
            if pool is not None:
                self.apart(name, prefix_of(pool), (*path, key))

    def apart(self, name: str, pool: Ip, path: IntentPath) -> None:
        """Report addresses of two legs that meet: the VRFs keep them apart, and a unit may not."""
        others = self.pools.setdefault(name, [])
        if any(pool.meets(other) for other in others):
            self.findings.error(
                Code.ADDRESS_OVERLAP,
                f"{pool.prefix} overlaps the pool of another leg on {name}, and a unit may have "
                "both in one routing table",
                path,
            )
        others.append(pool)

    def peers(
        self, name: str, leg: FirewallLeg, path: IntentPath
    ) -> Iterator[tuple[str, ExternalPeer]]:
        """Yield the session of a leg by each link, under the name of the link."""
        told, both = self.said[name], self.pairs[name].both_active
        for number, unit in enumerate(told.units):
            for place, link in enumerate(unit.links):
                peer = ExternalPeer.model_construct(
                    link=link,
                    vlan=leg.vlan,
                    asn=told.asn,
                    accept=leg.accept,
                    prefer=None if both else _STANDBY[number],
                    bfd=told.bfd,
                    password=told.password,
                    **link_ends(leg.pool, leg.pool6, 2 * place + number),
                )
                yield link, peer.told_at(path)

    def unused(self) -> None:
        """Report which pairs no VRF is on."""
        for name in self.pairs.keys() - {firewall for firewall, _ in self.tags}:
            self.findings.warn(
                Code.FIREWALL_NO_PAIR,
                f"no VRF has a leg on {name}, so it has no effect",
                (*self.here, name),
                f"add `firewalls: {{{name}: {{vlan: …, pool: …}}}}` to a VRF",
            )


def link_ends(
    four: IPNetwork | None, six: IPNetwork | None, number: int, near: int = 0
) -> dict[str, Any]:
    """Return both addresses of the n-th link of a pool for each family, as words of a peer.

    near: 0 where this end has the lower address, otherwise 1.
    """
    ends: dict[str, Any] = {}
    for pool, key in ((four, ""), (six, "6")):
        if pool is not None:
            low, length = int(pool.first) + 2 * number, 31 if pool.version == 4 else 127
            ends[f"address{key}"] = IPNetwork((low + near, length), pool.version)
            ends[f"peer{key}"] = IPAddress(low + 1 - near, pool.version)
    return ends


def with_peers(tenant: Tenant, name: str, peers: Mapping[str, ExternalPeer]) -> Tenant:
    """Return a tenant with more external peers in one of its VRFs."""
    vrf = tenant.vrfs[name]
    both = vrf.model_copy(update={"external": {**vrf.external, **peers}})
    return tenant.model_copy(update={"vrfs": {**tenant.vrfs, name: both}})
