"""The slice of a server in; every file of it, with its view, out. What is shared is made once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from fabricgen.fabric.because import Because
from fabricgen.hosts.firmware import firmware
from fabricgen.hosts.qos import nccl, qos
from fabricgen.hosts.view import Common, HostFile, Network, NicLines, Script, Slot

if TYPE_CHECKING:
    from fabricgen.hosts.slices import HostShare, HostSlice, Rail

NETPLAN = "etc/netplan/60-fabricgen.yaml"
NETWORKD = "etc/systemd/network/60-fabricgen-{}.network"
# NetworkManager reads keyfiles that root alone may read, and ignores all others
# (nm-settings-keyfile(5)).
KEYFILE = "etc/NetworkManager/system-connections/fabricgen-{}.nmconnection"
LINK = "etc/systemd/network/10-fabricgen-{}.link"
RAILS = "etc/fabricgen/rails"

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
    TMPFILES: "hosts/tmpfiles.j2",
}
"""The files that say the same to all servers, with their templates."""


def lower_host(piece: HostSlice) -> list[HostFile]:
    """Return the files of one server, ready to render."""
    return [*network_files(piece), *_shared(piece.share)]


def network_files(piece: HostSlice) -> list[HostFile]:
    """Return the table of rails, and what netplan, networkd or NetworkManager reads."""
    why = _rails(piece.share)
    view = Network(piece.server.name, tuple(_lines(piece, rail) for rail in piece.rails), why)
    files = [HostFile(path=RAILS, index="hosts/rails.j2", view=view)]
    kind = piece.share.plan.network
    if kind == "netplan":
        return [*files, HostFile(path=NETPLAN, index="hosts/netplan.j2", view=view)]
    pattern = NETWORKD if kind == "networkd" else KEYFILE
    return files + [
        HostFile(path=pattern.format(nic.name), index=f"hosts/{kind}.j2", view=nic)
        for nic in view.nics
    ]


def protected_files(network: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the files that only root may read."""
    if network == "networkd":
        return ()
    return (NETPLAN,) if network == "netplan" else tuple(map(KEYFILE.format, names))


@lru_cache(maxsize=16)
def _rails(share: HostShare) -> Because:
    return share.because(
        "NIC r is on rail r; its table leads to its block, to all NICs where spines are, and ends",
        ("servers",),
        ("nic_addressing",),
        ("addressing", "nics"),
    )


def _lines(piece: HostSlice, rail: Rail) -> NicLines:
    plan, host = rail.plan, rail.address.host
    block, everywhere = str(plan.block), str(plan.everywhere) if plan.everywhere else None
    return NicLines(
        name=plan.nic.name,
        mtu=piece.share.mtu,
        address=str(rail.address),
        host=host,
        source=f"{host}/32",
        gateway=rail.gateway.host,
        subnet=rail.address.prefix,
        table=plan.table,
        block=block,
        unbound=plan.table + _UNBOUND,
        closed=plan.table + _CLOSED,
        last=_LAST,
        prefixes=(block, everywhere) if everywhere else (block,),
        everywhere=everywhere or "-",
        leaf=rail.leaf,
        because=_rails(piece.share),
    )


@lru_cache(maxsize=16)
def _shared(share: HostShare) -> tuple[HostFile, ...]:
    """Return the files that are the same on every server: one set of objects for all of them."""
    names = tuple(plan.nic.name for plan in share.rails)
    protected = protected_files(share.plan.network, names)
    slots = tuple(_slots(share))
    why = share.because("the same on every server of the fabric", ("servers",))
    common = Common(
        nics=names,
        mtu=share.mtu,
        roce=share.contract is not None,
        protected=protected,
        slots=slots,
        because=why,
    )
    family, told, environment = share.model.family, qos(share), nccl(share)
    files = [
        HostFile(
            path=path,
            index=f"hosts/{kind}.j2",
            view=Script(
                common=common,
                template=f"hosts/{kind}_{family}",
                nic=told,
                nccl=environment,
                because=why,
            ),
            executable=True,
        )
        for path, kind in ((NICS, "nics"), (CHECK, "check"))
    ]
    plain = [HostFile(path="etc/nccl.conf", index="hosts/nccl.j2", view=environment)]
    plain += [
        HostFile(path=path, index=index, view=common)
        for path, index in _PLAIN.items()
        if protected or path != TMPFILES
    ]
    if (kept := firmware(share)) is not None:
        plain += [HostFile(path=FIRMWARE, index="hosts/firmware.j2", view=kept, executable=True)]
    links = (
        HostFile(path=LINK.format(slot.name), index="hosts/link.j2", view=slot) for slot in slots
    )
    return (*files, *plain, *links)


def _slots(share: HostShare) -> Iterator[Slot]:
    """Yield each port's PCI address: port p is function p - 1 after that of its NIC's first."""
    if not share.plan.slots:
        return
    rule = "the n-th PCI address of the list is the NIC of rail n"
    why = Because((share.plan.keys["nic_slots"],), rule)
    for plan in share.rails:
        place, function = share.plan.slots[plan.nic.rail - 1].split(".")
        pci = f"{place}.{int(function) + plan.nic.port - 1}"
        yield Slot(plan.nic.name, pci, why)
