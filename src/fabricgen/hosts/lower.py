"""The slice of a server in; every file of it, with its view, out. What is shared is made once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from fabricgen.fabric.because import Because
from fabricgen.hosts.devices import bonds, ports, vlans
from fabricgen.hosts.firmware import firmware
from fabricgen.hosts.qos import nccl, qos
from fabricgen.hosts.view import (
    Check,
    Common,
    HostFile,
    Links,
    Network,
    NicLines,
    Protected,
    Script,
    Slot,
)

if TYPE_CHECKING:
    from fabricgen.hosts.routed import RoutedPort, RoutedShare
    from fabricgen.hosts.slices import HostSlice

NETPLAN = "etc/netplan/60-fabricgen.yaml"
NETWORKD = "etc/systemd/network/60-fabricgen-{}.network"
# NetworkManager reads keyfiles that root alone may read, and ignores all others
# (nm-settings-keyfile(5)).
KEYFILE = "etc/NetworkManager/system-connections/fabricgen-{}.nmconnection"
LINK = "etc/systemd/network/10-fabricgen-{}.link"
NETDEV = "etc/systemd/network/60-fabricgen-{}.netdev"
RAILS = "etc/fabricgen/rails"
LINKS = "etc/fabricgen/links"

# Rules by priority: from a rail's address (its table's number), of programs that chose no address,
# and of everyone else, whose table has no way.
_UNBOUND, _CLOSED = 1000, 2000
# What the kernel gives a default route that is to be the last one (docs.kernel.org/networking/vrf).
_LAST = 4278198272
NICS = "etc/fabricgen/nics.sh"
CHECK = "etc/fabricgen/check"
FIRMWARE = "etc/fabricgen/firmware.sh"
TMPFILES = "etc/tmpfiles.d/fabricgen.conf"
_PLAIN = {
    "etc/sysctl.d/90-fabricgen.conf": "hosts/sysctl.j2",
    "etc/systemd/system/fabricgen-nics.service": "hosts/unit.j2",
    "etc/systemd/system/multi-user.target.d/fabricgen.conf": "hosts/unit_wanted.j2",
    "etc/udev/rules.d/90-fabricgen-nics.rules": "hosts/udev.j2",
}
"""The files that say the same to all servers, with their templates."""
_LINKED = Because((("tenants",),), "the same on every server that tenants attach")


def lower_host(piece: HostSlice) -> list[HostFile]:
    """Return the files of one server, ready to render."""
    network, rails = network_files(piece), next(iter(piece.routed), None)
    files = [*network, *_checked(rails.share if rails else None, linked=bool(piece.bridged))]
    if piece.server.tool != "networkd":  # the others want root alone to read their files
        paths = tuple(each.path for each in network if each.path not in (RAILS, LINKS))
        files += _protected(paths, _alike(rails.share) if rails else piece.bridged[0].because)
    return [*files, *_shared(rails.share)] if rails else files


def network_files(piece: HostSlice) -> list[HostFile]:
    """Return the tables of rails and links, and what netplan, networkd or NetworkManager reads."""
    nics = tuple(_lines(side.share, port) for side in piece.routed for port in side.ports)
    view = Network(
        server=piece.server.name,
        nics=nics,
        ports=ports(piece),
        bonds=bonds(piece),
        vlans=vlans(piece),
        because=_rails(piece.routed[0].share) if piece.routed else piece.bridged[0].because,
    )
    files = [HostFile(path=RAILS, index="hosts/rails.j2", view=view)] if nics else []
    if piece.bridged:
        files.append(HostFile(path=LINKS, index="hosts/links.j2", view=view))
    if piece.server.tool == "netplan":
        return [*files, HostFile(path=NETPLAN, index="hosts/netplan.j2", view=view)]
    return [*files, *_each(view, piece.server.tool)]


def _each(view: Network, tool: str) -> Iterator[HostFile]:
    """Yield the files of networkd or NetworkManager, which have one for each interface."""
    pattern = NETWORKD if tool == "networkd" else KEYFILE
    for nic in view.nics:
        yield HostFile(path=pattern.format(nic.name), index=f"hosts/{tool}.j2", view=nic)
    for each in view.devices:
        index = f"hosts/{tool}_device.j2"
        yield HostFile(path=pattern.format(each.name), index=index, view=each)
    if tool == "networkd":
        for each in (*view.bonds, *view.vlans):
            yield HostFile(path=NETDEV.format(each.name), index="hosts/netdev.j2", view=each)


@lru_cache(maxsize=64)
def _rails(share: RoutedShare) -> Because:
    return share.because(
        "NIC r is on rail r; its table leads to its block, to all NICs where spines are, and ends",
        ("servers",),
        ("nic_addressing",),
        ("addressing", "nics"),
    )


def _lines(share: RoutedShare, port: RoutedPort) -> NicLines:
    plan, host = port.plan, port.address.host
    block, everywhere = str(plan.block), str(plan.everywhere) if plan.everywhere else None
    return NicLines(
        name=plan.nic.name,
        mtu=share.mtu,
        address=str(port.address),
        host=host,
        source=f"{host}/32",
        gateway=port.gateway.host,
        subnet=port.address.prefix,
        table=plan.table,
        block=block,
        unbound=plan.table + _UNBOUND,
        closed=plan.table + _CLOSED,
        last=_LAST,
        prefixes=(block, everywhere) if everywhere else (block,),
        everywhere=everywhere or "-",
        leaf=port.leaf,
        because=_rails(share),
    )


@lru_cache(maxsize=64)
def _checked(share: RoutedShare | None, *, linked: bool) -> tuple[HostFile, ...]:
    """Return the check: one object for all servers that have rails of one fabric, or links."""
    rails = _script(share, "check") if share else None
    view = Check(
        rails=rails,
        links=Links(_LINKED) if linked else None,
        because=rails.because if rails else _LINKED,
    )
    return (HostFile(path=CHECK, index="hosts/check.j2", view=view, executable=True),)


@lru_cache(maxsize=256)
def _protected(paths: tuple[str, ...], because: Because) -> tuple[HostFile, ...]:
    view = Protected(paths, because)
    return (HostFile(path=TMPFILES, index="hosts/tmpfiles.j2", view=view),)


def _script(share: RoutedShare, kind: str) -> Script:
    """Return a script for all NICs of a fabric's servers."""
    return Script(
        common=_common(share),
        template=f"hosts/{kind}_{share.model.family}",
        nic=qos(share),
        nccl=nccl(share),
        because=_alike(share),
    )


@lru_cache(maxsize=64)
def _common(share: RoutedShare) -> Common:
    return Common(
        nics=tuple(plan.nic.name for plan in share.ports),
        mtu=share.mtu,
        roce=share.contract is not None,
        slots=tuple(_slots(share)),
        because=_alike(share),
    )


@lru_cache(maxsize=64)
def _alike(share: RoutedShare) -> Because:
    return share.because("the same on every server of the fabric", ("servers",))


@lru_cache(maxsize=64)
def _shared(share: RoutedShare) -> tuple[HostFile, ...]:
    """Return the files that are the same on every server: one set of objects for all of them."""
    common, script = _common(share), _script(share, "nics")
    files = [HostFile(path=NICS, index="hosts/nics.j2", view=script, executable=True)]
    files += [HostFile(path="etc/nccl.conf", index="hosts/nccl.j2", view=script.nccl)]
    files += [HostFile(path=path, index=index, view=common) for path, index in _PLAIN.items()]
    if (kept := firmware(share)) is not None:
        files += [HostFile(path=FIRMWARE, index="hosts/firmware.j2", view=kept, executable=True)]
    links = (
        HostFile(path=LINK.format(slot.name), index="hosts/link.j2", view=slot)
        for slot in common.slots
    )
    return (*files, *links)


def _slots(share: RoutedShare) -> Iterator[Slot]:
    """Yield each port's PCI address: port p is function p - 1 after that of its NIC's first."""
    if not share.plan.slots:
        return
    rule = "the n-th PCI address of the list is the NIC of rail n"
    why = Because((share.plan.keys["nic_slots"],), rule)
    for plan in share.ports:
        place, function = share.plan.slots[plan.nic.rail - 1].split(".")
        pci = f"{place}.{int(function) + plan.nic.port - 1}"
        yield Slot(plan.nic.name, pci, why)
