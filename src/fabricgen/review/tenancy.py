"""Compares the networks of servers, the tenants and the jobs of two sites."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.core.units import counted, natural, shortened
from fabricgen.model.fabric.leaks import Taken
from fabricgen.model.fabric.relay import Relay
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Nic
from fabricgen.review.model import Act, Effect

_SHOWN = 4


@record()
class Membership:
    """Network of a server: its tenant, VRF, and VLAN; without a VLAN it is routed."""

    tenant: str
    vrf: str
    vlan: int | None

    @property
    def text(self) -> str:
        """Return the text for people: `VLAN 310 of acme`."""
        network = f"VLAN {self.vlan}" if self.vlan is not None else f"VRF {self.vrf}"
        return f"{network} of {self.tenant}" if self.tenant else network


Members = dict[str, frozenset[Membership]]
"""Networks by the name of a server."""
Reasoned = tuple[Effect, tuple[IntentPath, ...]]
"""An effect, and the places in the intent that its objects follow from."""


Paths = dict[str, tuple[IntentPath, ...]]
"""Places in the intent by the name of a server, tenant or job."""


def memberships(site: Site) -> tuple[Members, Paths]:
    """Return the tenant networks of each server of a site, and the places that say so."""
    found: dict[str, set[Membership]] = defaultdict(set)
    paths: dict[str, dict[IntentPath, None]] = defaultdict(dict)
    for fabric in site.fabrics:
        for server, each, because in _of_fabric(fabric):
            found[server].add(each)
            paths[server] |= dict.fromkeys(because.paths)
    members = {server: frozenset(every) for server, every in found.items()}
    return members, {server: (*every,) for server, every in paths.items()}


def _of_fabric(fabric: Fabric) -> Iterator[tuple[str, Membership, Provenance]]:
    overlay, topology = fabric.overlay, fabric.topology
    if overlay is None:
        return
    tenants = {name: vrf.tenant for name, vrf in overlay.vrfs.items()}
    for leaf, ports in overlay.ports.items():
        for link in topology.links_at.get(leaf, ()):
            if not isinstance(link.lower_port, Nic):
                continue
            place = topology.places.get((link.lower.name, link.lower_port.network))
            carries = ports.get(place.index) if place is not None else None
            if carries is None:
                continue
            for vlan in carries.vlans:
                each = Membership(vlan.tenant, vlan.vrf or "", vlan.id)
                yield link.lower.name, each, carries.because
    for server, member in overlay.members.items():
        each = Membership(tenants.get(member.vrf, ""), member.vrf, None)
        yield server, each, member.because
    for (server, _), routed in overlay.routed.items():
        each = Membership(tenants.get(routed.vrf, ""), routed.vrf, None)
        yield server, each, routed.because


def tenancy_effects(before: Site, after: Site) -> Iterator[Reasoned]:
    """Yield tenants, networks, attachments, jobs and VIPs that differ, with their places.

    A job is no tenant, though its networks have its name as one.
    """
    jobs = {job.name for site in (before, after) for job in site.jobs}
    for effect in _named("tenant", *(_tenants(site) - jobs for site in (before, after))):
        yield effect, (("tenants", effect.name),)
    yield from _networks_of(*(_networks_by_name(site) for site in (before, after)))
    yield from _attachments(before, after)
    for effect in _jobs(before, after):
        yield effect, (("jobs", effect.name),)
    for effect in _named("vip", *(_vips(site) for site in (before, after))):
        yield effect, (("tenants",),)


@record(kw_only=True)
class _Network:
    """A VRF or VLAN of the whole fabric. `words`: its attributes for people."""

    tenant: str
    words: dict[str, str]
    because: Provenance


_Key = tuple[str, str, str]
"""Fabric, kind, and name of a network."""


def _networks_by_name(site: Site) -> dict[_Key, _Network]:
    """Return the VRFs and VLANs of a site."""
    found: dict[_Key, _Network] = {}
    for fabric in site.fabrics:
        overlay = fabric.overlay
        for name, vrf in overlay.vrfs.items() if overlay is not None else ():
            words = {
                "VNI": "" if vrf.local else str(vrf.vni),
                "imported routes": "; ".join(map(_taken, vrf.takes)),
                "DHCP relay": "; ".join(map(_relayed, vrf.relays)),
            }
            found[fabric.name, "vrf", name] = _Network(
                tenant=vrf.tenant, words=words, because=vrf.because
            )
        for number, vlan in overlay.vlans.items() if overlay is not None else ():
            words = {
                "name": vlan.name,
                "VRF": vlan.vrf or "",
                "VNI": str(vlan.vni or ""),
                "gateway": ", ".join(map(str, vlan.gateways)),
            }
            found[fabric.name, "vlan", str(number)] = _Network(
                tenant=vlan.tenant, words=words, because=vlan.because
            )
    return found


def _taken(taken: Taken) -> str:
    prefixes = shortened([str(each.prefix) for each in taken.prefixes], _SHOWN)
    return f"{prefixes} of VRF {taken.source}"


def _relayed(relay: Relay) -> str:
    return f"{', '.join(relay.servers)} from {relay.sources.whole}"


def _networks_of(ones: dict[_Key, _Network], others: dict[_Key, _Network]) -> Iterator[Reasoned]:
    """Yield VRFs and VLANs that come, go or change in a fabric."""
    fabrics: dict[tuple[str, str], set[str]] = defaultdict(set)
    for fabric, kind, name in (*ones, *others):
        fabrics[kind, name].add(fabric)
    for key in dict.fromkeys((*ones, *others)):
        one, other = ones.get(key), others.get(key)
        fabric, kind, name = key
        place = f" in {fabric}" if len(fabrics[kind, name]) > 1 else ""
        if one is None or other is None:
            it, act = (other, Act.ADDED) if other is not None else (one, Act.REMOVED)
            assert it is not None
            details = ", ".join(f"{word} {value}" for word, value in it.words.items() if value)
            more = f" ({details})" if details else ""
            text = f"{kind.upper()} {name} of tenant {it.tenant} {act}{place}{more}"
            yield Effect(act=act, kind=kind, name=name, text=text), it.because.paths
            continue
        for word, old in one.words.items():
            if old != (new := other.words[word]):
                yield (
                    Effect(
                        act=Act.CHANGED,
                        kind=kind,
                        name=name,
                        attribute=word,
                        before=old,
                        after=new,
                        text=f"{kind.upper()} {name} of tenant {other.tenant}{place}: "
                        f"{word} {old or 'none'} → {new or 'none'}",
                    ),
                    (*one.because.paths, *other.because.paths),
                )


def _tenants(site: Site) -> set[str]:
    overlays = (each.overlay for each in site.fabrics if each.overlay is not None)
    names: set[str] = set()
    for overlay in overlays:
        names.update(vrf.tenant for vrf in overlay.vrfs.values())
        names.update(vlan.tenant for vlan in overlay.vlans.values())
    return names - {""}


def _vips(site: Site) -> set[str]:
    overlays = (each.overlay for each in site.fabrics if each.overlay is not None)
    return {str(vip.address) for overlay in overlays for vip in overlay.vips}


def _named(kind: str, ones: set[str], others: set[str]) -> Iterator[Effect]:
    for act, names in ((Act.ADDED, others - ones), (Act.REMOVED, ones - others)):
        for name in natural(names):
            yield Effect(act=act, kind=kind, name=name, text=f"{kind} {name} {act}")


def _attachments(before: Site, after: Site) -> Iterator[Reasoned]:
    """Yield equal changes of the networks of servers that exist on both sides."""
    (ones, why), (others, because) = memberships(before), memberships(after)
    both = _servers(before) & _servers(after)
    alike: dict[tuple[frozenset[Membership], frozenset[Membership]], list[str]] = defaultdict(list)
    for server in dict.fromkeys((*ones, *others)):
        one, other = ones.get(server, frozenset()), others.get(server, frozenset())
        if one != other and server in both:
            alike[one - other, other - one].append(server)
    for (left, joined), servers in alike.items():
        names = natural(servers)
        gone, come = _networks(left), _networks(joined)
        paths = {path for name in names for side in (why, because) for path in side.get(name, ())}
        yield (
            Effect(
                act=Act.MOVED if left and joined else Act.CHANGED,
                kind="attachment",
                name=names[0] if len(names) == 1 else f"{gone or 'none'} to {come or 'none'}",
                before=gone,
                after=come,
                text=_attached(names, gone, come),
                on=tuple(names),
                objects=len(names),
            ),
            tuple(paths),
        )


def _attached(names: Sequence[str], gone: str, come: str) -> str:
    one = len(names) == 1
    who = names[0] if one else f"{counted(len(names), 'server')} ({shortened(names, _SHOWN)})"
    joins = f"{'joins' if one else 'join'} {come}" if come else ""
    leaves = f"{'leaves' if one else 'leave'} {gone}" if gone else ""
    return f"{who} {' and '.join(filter(None, (joins, leaves)))}"


def _servers(site: Site) -> set[str]:
    return {server.name for fabric in site.fabrics for server in fabric.topology.servers}


def _networks(every: Iterable[Membership]) -> str:
    ordered = sorted(every, key=lambda it: (it.tenant, it.vlan or 0, it.vrf))
    return ", ".join(each.text for each in ordered)


def _jobs(before: Site, after: Site) -> Iterator[Effect]:
    """Yield jobs that come, go, or use other servers."""
    ones, others = ({job.name: job for job in site.jobs} for site in (before, after))
    for name in natural({*ones, *others}):
        one, other = ones.get(name), others.get(name)
        if one is None or other is None:
            act = Act.ADDED if one is None else Act.REMOVED
            job = other or one
            size = counted(len(job.servers), "server") if job is not None else ""
            yield Effect(act=act, kind="job", name=name, text=f"job {name} {act} ({size})")
        elif one.servers != other.servers:
            yield Effect(
                act=Act.CHANGED,
                kind="job",
                name=name,
                attribute="servers",
                before=shortened(one.servers, _SHOWN),
                after=shortened(other.servers, _SHOWN),
                text=f"job {name}: {len(one.servers)} servers → {len(other.servers)} servers",
            )
