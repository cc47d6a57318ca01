"""Plan a lab: the switches, servers and cables of a site or of a part.

Only a platform with `boots_here` can boot. A site on others is first compiled with `--as` for such
a platform.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from fabricgen.compile.attached.host import AttachedHost, commands
from fabricgen.compile.attached.site import attached, joined, owner_of
from fabricgen.compile.compiler import folder_of, slices
from fabricgen.model.fabric.identity import Identity
from fabricgen.model.fabric.limit import within
from fabricgen.model.fabric.switch import Site
from fabricgen.model.fabric.topology import Link, Nic
from fabricgen.nos.lowering import spell
from fabricgen.operate.lab.client import LabFailure
from fabricgen.operate.lab.outside.playing import Outside, outside_of
from fabricgen.operate.lab.plan import (
    LabCable,
    LabHost,
    LabPlan,
    LabRouter,
    LabSwitch,
    Skipped,
)


def lay_out(
    site: Site,
    *,
    name: str,
    lifted: str | None,
    files: Iterable[str],
    limit: Sequence[str] = (),
    fresh: Mapping[str, str] | None = None,
) -> LabPlan:
    """Plan the lab of a site that was compiled for a bootable platform.

    Args:
        site: The compiled site.
        name: Name of the lab.
        lifted: Substitute platform, if the site was compiled with --as.
        files: Paths of the rendered tree, to list the unused ones.
        limit: Name patterns of switches or fabrics. Servers without a cable are excluded.
        fresh: Folder by switch that boots from its image alone.
    """
    images = fresh or {}
    wanted = {
        switch.name
        for fabric in site.fabrics
        for switch in fabric.present
        if within(limit, switch.name, fabric.name)
    }
    hosts, outside = attached(site, wanted), outside_of(site, wanted)
    _judge_names(outside, wanted | hosts.keys())
    return LabPlan(
        name=name,
        site=site.name,
        lifted=lifted,
        gateway=f"{site.services.gateway}/{_management_length(site)}",
        switches=tuple(_switches(site, wanted, images)),
        hosts=(*(_host(each) for each in hosts.values() if not each.speaker), *outside.hosts),
        cables=(*_cables(site, wanted, hosts), *outside.cables),
        endpoints=tuple(each for host in hosts.values() for each in host.endpoints),
        skipped=skipped_by(files),
        fresh=tuple(images),
        routers=(*outside.routers, *(_speaker(h) for h in hosts.values() if h.speaker)),
        beyond=outside.endpoints,
        answered=outside.answered | _speaking(site, wanted),
    )


def _host(host: AttachedHost) -> LabHost:
    return LabHost(
        name=host.name,
        interfaces=tuple(host.interfaces),
        commands=tuple(_configures(host)),
    )


def _speaker(host: AttachedHost) -> LabRouter:
    """Return a server with BGP, which runs FRR with its rendered files like an external router."""
    return LabRouter(
        name=host.name,
        folder=f"hosts/{host.name}",
        files=host.speaker,
        commands=tuple(_configures(host)),
        plays="a server with BGP to its leafs",
    )


def _speaking(site: Site, leafs: Container[str]) -> frozenset[tuple[str, str]]:
    """Return the sessions with servers that run FRR in the lab, by switch and label."""
    return frozenset(
        (switch_slice.switch.name, peer.label)
        for fabric, switch_slice in slices(site)
        if switch_slice.switch.name in leafs and fabric.overlay is not None
        for peer in switch_slice.speakers
        if any(
            each.label == peer.label and each.bgp is not None and each.bgp.speaker == "frr"
            for each in fabric.overlay.speaking
        )
    )


def _configures(host: AttachedHost) -> Iterator[str]:
    """Yield the commands that configure a server."""
    yield "link set lo up"
    yield from (command.removeprefix("ip ") for command in commands(host))


def _management_length(site: Site) -> int:
    first = next(switch_slice for _, switch_slice in slices(site))
    return first.management.length


def _switches(site: Site, wanted: Container[str], images: Mapping[str, str]) -> Iterator[LabSwitch]:
    for fabric, switch_slice in slices(site):
        name = switch_slice.switch.name
        if name in wanted:
            yield LabSwitch(
                name=name,
                fabric=fabric.name,
                folder=images.get(name) or folder_of(switch_slice.switch),
                management=switch_slice.management.host,
                mac=fabric.identities.get(name, Identity()).mac,
                ports=tuple(
                    spell(switch_slice.switch, interface.port)
                    for interface in switch_slice.interfaces
                ),
            )


def _judge_names(outside: Outside, taken: Container[str]) -> None:
    for router in outside.routers:
        if router.name in taken:
            raise LabFailure(
                f"{router.name} is the name of an external router and of another part of this lab"
            )


def _cables(site: Site, wanted: set[str], hosts: Container[str]) -> Iterable[LabCable]:
    for fabric in site.fabrics:
        for link in joined(fabric, wanted, hosts):
            yield LabCable(
                a=owner_of(fabric, link),
                a_port=_at_lower_end(link),
                b=link.upper.name,
                b_port=spell(link.upper, link.upper_port),
            )


def _at_lower_end(link: Link) -> str:
    """Return the lower port; for a server the device name in its files, not the NIC's label."""
    if isinstance(link.lower_port, Nic):
        return link.lower_port.name
    return spell(link.lower, link.lower_port)


# File by the end of its path, its purpose, and the reason why the lab ignores it. All other files
# are used.
_LEFT = (
    (
        "etc/fabricgen/passwords",
        "passwords",
        "secrets are not resolved; log in with the key of the lab",
    ),
    (
        "etc/chrony/chrony.conf",
        "time",
        "the lab has no NTP server; it uses the clock of this machine",
    ),
    ("etc/rsyslog.d/fabricgen.conf", "syslog", "the lab has no collector"),
    ("etc/snmp/snmpd.conf", "SNMP", "snmpd is not started"),
    ("etc/resolv.conf", "DNS", "the lab has no resolver"),
    ("etc/fabricgen/dcb.sh", "PFC and DCB", "a veth pair supports neither pause frames nor DCB"),
    ("etc/fabricgen/breakout.sh", "breakout", "the ports already exist in their split form"),
    ("etc/udev/rules.d/", "udev rules", "the ports are created with their names"),
    ("etc/fabricgen/nics.sh", "NIC QoS", "a virtual NIC has no RoCE; addresses and routes are set"),
    ("etc/nccl.conf", "NCCL", "the lab has no GPU"),
)


def skipped_by(paths: Iterable[str]) -> tuple[Skipped, ...]:
    """List the ignored files, once for all switches."""
    inner = [path.split("/", 2)[-1] for path in paths]
    return tuple(
        Skipped(what, why)
        for mark, what, why in _LEFT
        if any(path.startswith(mark) for path in inner)
    )
