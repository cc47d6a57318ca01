"""Design the service addresses that balancers of a VRF advertise."""

from collections.abc import Collection, Iterator, Mapping

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.intent.model import tenants as words
from fabricgen.intent.model.vips import Vip as VipWords
from fabricgen.intent.paths import at
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.leaks import joinable
from fabricgen.model.fabric.vips import Vip
from fabricgen.model.fabric.vlans import Vlan


def vips_of(
    entry: str, vrf: words.Vrf, here: IntentPath, vlans: Collection[Vlan], findings: Findings
) -> Iterator[Vip]:
    """Yield the VIPs of one `hosts` entry of the VRF at the path `here`."""
    for name, told in vrf.vips.items():
        path = (*here, "vips", name)
        if told.hosts != entry or not _advertised(name, told, vrf, path, findings):
            continue
        yield Vip(
            name=name,
            vrf=str(here[-1]),
            entry=f"{joinable(str(here[-1]))}_{entry}",
            address=Ip(int(told.address), 32),
            vlans=tuple(_behind(told, path, vlans, findings)),
            because=Provenance((path,), "each balancer has this address and advertises it"),
        )


def _advertised(
    name: str, told: VipWords, vrf: words.Vrf, path: IntentPath, findings: Findings
) -> bool:
    """Return whether leafs accept the address from its balancers; report why not."""
    speaks, before = vrf.hosts[told.hosts], len(findings.items)
    if speaks.speaker != "frr":
        findings.error(
            Code.UNSUPPORTED,
            f"{speaks.speaker.capitalize()} advertises the addresses of its own services, so "
            f"fabricgen cannot give it the VIP {name}",
            (*path, "hosts"),
            "set `speaker: frr`, or define the service in Kubernetes",
        )
    if not any(told.address in net for net in speaks.accept):
        findings.error(
            Code.VIP_NOT_ADVERTISED,
            f"the leafs do not accept {told.address} of VIP {name}: no block of `accept` of "
            f"{told.hosts} has it",
            (*path, "address"),
            f"add `{told.address}/32` to `accept`",
        )
    first = next(each for each, vip in vrf.vips.items() if vip.address == told.address)
    if first != name:
        text = f"{told.address} is already the address of VIP {first}"
        findings.error(Code.DUPLICATE_ID, text, (*path, "address"))
    return len(findings.items) == before


def _behind(
    told: VipWords, path: IntentPath, vlans: Collection[Vlan], findings: Findings
) -> Iterator[int]:
    """Yield the ids of the VLANs behind the balancers."""
    known = {f"{v.because.main[1]}/{v.because.main[-1]}": v.id for v in vlans if v.gateways}
    for place, reference in enumerate(told.servers):
        if reference in known:
            yield known[reference]
        else:
            here = (*path, "servers", place)
            findings.unknown(f"no routed VLAN is named {reference!r}", here, reference, known)


def judge_vips(
    tenants: Mapping[str, words.Tenant],
    spoken: Collection[tuple[str, str]],
    findings: Findings,
) -> None:
    """Report VIPs that no server advertises. spoken: VRF and `hosts` entry of the attachments."""
    for tenant, own in tenants.items():
        for vrf, told in (own.unless_refused("vrfs") or {}).items():
            for name, vip in (told.unless_refused("vips") or {}).items():
                path = at("tenants", tenant, "vrfs", vrf, "vips", name, "hosts")
                if vip.hosts not in told.hosts:
                    text = f"the VRF {vrf} has no {vip.hosts!r} in `hosts`"
                    findings.unknown(text, path, vip.hosts, told.hosts)
                elif (vrf, vip.hosts) not in spoken:
                    findings.error(
                        Code.VIP_NOT_ADVERTISED,
                        f"no server advertises VIP {name}: no attachment has `bgp: {vip.hosts}`",
                        path,
                        f"attach the balancers with `vrf: {vrf}`, `links` and `bgp: {vip.hosts}`",
                    )
