"""Lower the slice of a server to all its files and their views; shared parts are built once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from fabricgen.core.provenance import Provenance
from fabricgen.nos.hosts.devices import bonds, ports, vlans
from fabricgen.nos.hosts.firmware import firmware
from fabricgen.nos.hosts.peering import link_files
from fabricgen.nos.hosts.qos import nccl, qos
from fabricgen.nos.hosts.view import (
    Check,
    Checked,
    Clock,
    Common,
    FirmwareFile,
    Hints,
    HostFile,
    Links,
    Network,
    NicRows,
    NicSet,
    Protected,
    Script,
    Slot,
)

if TYPE_CHECKING:
    from fabricgen.core.diagnostics import IntentPath
    from fabricgen.model.fabric.jobs import JobPlan
    from fabricgen.nos.hosts.routed import RoutedShare
    from fabricgen.nos.hosts.slices import HostSlice
    from fabricgen.nos.hosts.view import Nccl

    Shares = tuple[RoutedShare, ...]
    """The sets of ports that servers have. Servers with the same sets share one object."""

NETPLAN = "etc/netplan/60-fabricgen.yaml"
NETWORKD = "etc/systemd/network/60-fabricgen-{}.network"
# NetworkManager reads keyfiles that root alone may read, and ignores all others
# (nm-settings-keyfile(5)).
KEYFILE = "etc/NetworkManager/system-connections/fabricgen-{}.nmconnection"
LINK = "etc/systemd/network/10-fabricgen-{}.link"
NETDEV = "etc/systemd/network/60-fabricgen-{}.netdev"
RAILS = "etc/fabricgen/rails"
ROUTED = "etc/fabricgen/routed"
LINKS = "etc/fabricgen/links"
NICS = "etc/fabricgen/nics.sh"
CHECK = "etc/fabricgen/check"
JOB = "etc/fabricgen/job.env"
FIRMWARE = "etc/fabricgen/firmware.sh"
TMPFILES = "etc/tmpfiles.d/fabricgen.conf"
SYSCTL = "etc/sysctl.d/90-fabricgen.conf"
_UNITS = {
    "etc/systemd/system/fabricgen-nics.service": "hosts/unit.j2",
    "etc/systemd/system/multi-user.target.d/fabricgen.conf": "hosts/unit_wanted.j2",
    "etc/udev/rules.d/90-fabricgen-nics.rules": "hosts/udev.j2",
}
"""The files that start nics.sh, with their templates."""
_CLOCK = {
    "etc/fabricgen/ptp4l.conf": "hosts/ptp4l.j2",
    "etc/systemd/system/fabricgen-ptp4l.service": "hosts/ptp4l_unit.j2",
    "etc/systemd/system/fabricgen-phc2sys.service": "hosts/phc2sys_unit.j2",
    "etc/systemd/system/multi-user.target.d/fabricgen-ptp.conf": "hosts/ptp_wanted.j2",
}
"""The files of a server that follows precise time, with their templates."""
_LINKED = Provenance((("tenants",),), "the same on every server that tenants attach")


def lower_host(host_slice: HostSlice) -> list[HostFile]:
    """Return the files of one server, ready to render."""
    network, shares = network_files(host_slice), tuple(side.share for side in host_slice.routed)
    files = [
        *network,
        *_checked(shares, linked=bool(host_slice.bridged), several=bool(host_slice.links)),
    ]
    if host_slice.server.tool != "networkd":  # the other tools require files for root alone
        paths = tuple(each.path for each in network if each.path not in (RAILS, ROUTED, LINKS))
        files += _protected(paths, _alike(shares) if shares else host_slice.bridged[0].because)
    files += link_files(host_slice)
    if host_slice.job is not None and host_slice.job.rails and host_slice.job.gpus:
        files += _hints(host_slice.job)
    for side in host_slice.bridged:
        if side.time is not None:
            files += _clock(side.time, side.ports[0], side.because.main)
    return [*files, *_shared(shares)] if shares else files


@lru_cache(maxsize=64)
def _hints(job: JobPlan) -> tuple[HostFile, ...]:
    """Return the hints of a job: one object for all its servers, which growth does not change."""
    view = Hints(job=job.name, gpus=job.gpus, because=job.because)
    return (HostFile(path=JOB, index="hosts/job.j2", view=view),)


@lru_cache(maxsize=64)
def _clock(domain: int, port: str, path: IntentPath) -> tuple[HostFile, ...]:
    """Return the files for PTP: one set of objects for all servers of a kind."""
    paths = ((*path, "ptp"), ("site", "management", "ptp"))
    view = Clock(
        domain=domain, port=port, because=Provenance(paths, "PTP by the port with the domain")
    )
    return tuple(HostFile(path=path, index=index, view=view) for path, index in _CLOCK.items())


def network_files(host_slice: HostSlice) -> list[HostFile]:
    """Return the tables of ports and links, and files of netplan, networkd or NetworkManager."""
    railed, routed = _rows(host_slice, rails=True), _rows(host_slice, rails=False)
    view = Network(
        server=host_slice.server.name,
        rails=railed,
        routed=routed,
        ports=ports(host_slice),
        bonds=bonds(host_slice),
        vlans=vlans(host_slice),
        because=host_slice.routed[0].ports[0].because
        if host_slice.routed
        else host_slice.bridged[0].because,
    )
    tables = {RAILS: railed, ROUTED: routed, LINKS: host_slice.bridged}
    files = [
        HostFile(path=path, index=f"hosts/{path.rpartition('/')[2]}.j2", view=view)
        for path, rows in tables.items()
        if rows
    ]
    if host_slice.server.tool == "netplan":
        return [*files, HostFile(path=NETPLAN, index="hosts/netplan.j2", view=view)]
    return [*files, *_each(view, host_slice.server.tool)]


def _rows(host_slice: HostSlice, *, rails: bool) -> tuple[NicRows, ...]:
    """Return the ports of its rails, or its other routed ports."""
    words = _words(tuple(side.share for side in host_slice.routed))
    return tuple(
        NicRows(word=words[side.share], ports=side.ports, because=side.ports[0].because)
        for side in host_slice.routed
        if side.share.plan.railed is rails
    )


def _each(view: Network, tool: str) -> Iterator[HostFile]:
    """Yield the files of networkd or NetworkManager, which have one for each interface."""
    pattern = NETWORKD if tool == "networkd" else KEYFILE
    for nic in view.nics:
        yield HostFile(path=pattern.format(nic.plan.name), index=f"hosts/{tool}.j2", view=nic)
    for each in view.devices:
        index = f"hosts/{tool}_device.j2"
        yield HostFile(path=pattern.format(each.name), index=index, view=each)
    if tool == "networkd":
        for each in (*view.bonds, *view.vlans):
            yield HostFile(path=NETDEV.format(each.name), index="hosts/netdev.j2", view=each)


@lru_cache(maxsize=64)
def _words(shares: Shares) -> dict[RoutedShare, str]:
    """Return the first word of each set's rows: `rail` or `port`, with its name if not unique."""
    words = {share: "rail" if share.plan.railed else "port" for share in shares}
    return {
        share: word if list(words.values()).count(word) == 1 else f"{word}-{share.network}"
        for share, word in words.items()
    }


@lru_cache(maxsize=64)
def _checked(shares: Shares, *, linked: bool, several: bool) -> tuple[HostFile, ...]:
    """Return the check: one object for all servers that have the same sets of ports, or links."""
    nics = None
    if shares:
        nics = Checked(
            roce=any(share.contract is not None for share in shares),
            sets=_sets(shares),
            nccl=_nccl(shares),
            because=_alike(shares),
        )
    view = Check(
        nics=nics,
        links=Links(_LINKED, several) if linked else None,
        because=nics.because if nics else _LINKED,
    )
    return (HostFile(path=CHECK, index="hosts/check.j2", view=view, executable=True),)


@lru_cache(maxsize=256)
def _protected(paths: tuple[str, ...], because: Provenance) -> tuple[HostFile, ...]:
    view = Protected(paths, because)
    return (HostFile(path=TMPFILES, index="hosts/tmpfiles.j2", view=view),)


@lru_cache(maxsize=64)
def _sets(shares: Shares) -> tuple[NicSet, ...]:
    """Return the sets of ports in the form of the scripts."""
    words, seen, sets = _words(shares), set[str](), []
    for share in shares:
        sets.append(
            NicSet(
                table=RAILS if share.plan.railed else ROUTED,
                word=words[share],
                mtu=share.mtu,
                open=0 if share.plan.railed else share.ports[0].open,
                rdma=share.rdma,
                gid_index=share.gid_index,
                setting=f"hosts/nics_{share.family}",
                checking=f"hosts/check_{share.family}",
                first=share.family not in seen,
                nic=qos(share),
                slots=tuple(_slots(share)),
                because=_alike((share,)),
            )
        )
        seen.add(share.family)
    return tuple(sets)


@lru_cache(maxsize=64)
def _nccl(shares: Shares) -> Nccl | None:
    rails = tuple(share for share in shares if share.plan.railed)
    return nccl(rails) if rails else None


@lru_cache(maxsize=64)
def _alike(shares: Shares) -> Provenance:
    return shares[0].because("the same on every server of the fabric", ("servers",))


@lru_cache(maxsize=64)
def _shared(shares: Shares) -> tuple[HostFile, ...]:
    """Return the files that are the same on every server: one set of objects for all of them."""
    told = tuple(share for share in shares if share.rdma)
    common = Common(
        nics=tuple(port.nic.name for share in shares for port in share.ports),
        spare=tuple(
            port.nic.name for share in shares for port in share.ports if not share.plan.railed
        ),
        whose="the rails" if all(share.plan.railed for share in told) else "the routed ports",
        because=_alike(shares),
    )
    links = (
        HostFile(path=LINK.format(slot.name), index="hosts/link.j2", view=slot)
        for each in _sets(shares)
        for slot in each.slots
    )
    before = _scripts(shares, common) if told else ()
    sysctl = HostFile(path=SYSCTL, index="hosts/sysctl.j2", view=common)
    units = _UNITS.items() if told else ()
    after = (HostFile(path=path, index=index, view=common) for path, index in units)
    return (*before, sysctl, *after, *_firmware(shares, common.whose), *links)


def _scripts(shares: Shares, common: Common) -> Iterator[HostFile]:
    """Yield the files that configure the NICs, and NCCL on rails."""
    sets = tuple(each for each in _sets(shares) if each.rdma)
    roce = any(each.nic is not None for each in sets)
    script = Script(whose=common.whose, roce=roce, sets=sets, because=common.because)
    yield HostFile(path=NICS, index="hosts/nics.j2", view=script, executable=True)
    environment = _nccl(shares)
    if environment is not None:
        yield HostFile(path="etc/nccl.conf", index="hosts/nccl.j2", view=environment)


def _firmware(shares: Shares, whose: str) -> Iterator[HostFile]:
    """Yield the script that reads the NIC firmware settings, if any are known."""
    every = zip(shares, _sets(shares), strict=True)
    kept = tuple(each for share, nics in every if (each := firmware(share, nics)) is not None)
    if kept:
        view = FirmwareFile(whose=whose, sets=kept, because=kept[0].because)
        yield HostFile(path=FIRMWARE, index="hosts/firmware.j2", view=view, executable=True)


def _slots(share: RoutedShare) -> Iterator[Slot]:
    """Yield the PCI address of each port if the intent has them."""
    rule = "the n-th PCI address of the list is the n-th NIC, on rails that of rail n"
    why = Provenance((share.plan.keys["nic_slots"],), rule)
    for port in share.ports:
        if port.slot:
            yield Slot(port.nic.name, port.slot, why)
