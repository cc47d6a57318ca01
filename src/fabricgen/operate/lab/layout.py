"""Plans a lab: the switches, servers and cables of a site or of a part.

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
from fabricgen.operate.lab.plan import LabCable, LabHost, LabPlan, LabSwitch, Skipped


def lay_out(
    site: Site,
    *,
    name: str,
    lifted: str | None,
    files: Iterable[str],
    limit: Sequence[str] = (),
    fresh: Mapping[str, str] | None = None,
) -> LabPlan:
    """Plan the lab of a site that compiled for what boots here; lifted: as which, if it was not.

    limit: patterns of names of switches or fabrics; servers without a cable left are left out.
    files: paths of the rendered tree, for what the lab will not do with them.
    fresh: switches that boot from their image alone, and its folder in the files.
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
        hosts=(*map(_host, hosts.values()), *outside.hosts),
        cables=(*_cables(site, wanted, hosts), *outside.cables),
        endpoints=tuple(each for host in hosts.values() for each in host.endpoints),
        skipped=skipped_by(files),
        fresh=tuple(images),
        routers=outside.routers,
        beyond=outside.endpoints,
        answered=outside.answered,
    )


def _host(host: AttachedHost) -> LabHost:
    lines = (command.removeprefix("ip ") for command in commands(host))
    return LabHost(
        name=host.name,
        interfaces=tuple(host.interfaces),
        commands=("link set lo up", *lines),
    )


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
            raise LabFailure(f"{router.name} is a router outside, and another part of this lab")


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
    """Name the lower end: of a server the device that its files say, not the NIC's label."""
    if isinstance(link.lower_port, Nic):
        return link.lower_port.name
    return spell(link.lower, link.lower_port)


# What a file is for, by the end of its path, and why the lab leaves it. Everything else is used.
_LEFT = (
    ("etc/fabricgen/passwords", "passwords", "secrets stay references; log in with the lab's key"),
    ("etc/chrony/chrony.conf", "time", "no NTP server is in the lab; the clock is this machine's"),
    ("etc/rsyslog.d/fabricgen.conf", "syslog", "no collector is in the lab"),
    ("etc/snmp/snmpd.conf", "SNMP", "snmpd is not started"),
    ("etc/resolv.conf", "DNS", "no resolver is in the lab"),
    ("etc/fabricgen/dcb.sh", "PFC and DCB", "a veth pair has no pause frames and no DCB"),
    ("etc/fabricgen/breakout.sh", "breakout", "the ports are made as they are after the split"),
    ("etc/udev/rules.d/", "udev rules", "the ports are made with their names"),
    ("etc/fabricgen/nics.sh", "NIC QoS", "a virtual NIC has no RoCE; addresses and routes are set"),
    ("etc/nccl.conf", "NCCL", "there is no GPU"),
)


def skipped_by(paths: Iterable[str]) -> tuple[Skipped, ...]:
    """Name what is left out, once for all switches."""
    inner = [path.split("/", 2)[-1] for path in paths]
    return tuple(
        Skipped(what, why)
        for mark, what, why in _LEFT
        if any(path.startswith(mark) for path in inner)
    )
