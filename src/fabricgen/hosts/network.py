"""The slice of a server in; the files that give its NICs their addresses and routes out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.fabric.because import Because
from fabricgen.hosts.view import HostFile, Network, NicLines, Single

if TYPE_CHECKING:
    from fabricgen.hosts.slices import HostSlice, Rail

SINGLE = "hosts/single_index.j2"
NETPLAN = "etc/netplan/60-fabricgen.yaml"
NETWORKD = "etc/systemd/network/60-fabricgen-{}.network"
# NetworkManager reads keyfiles that root alone may read, and ignores all others
# (nm-settings-keyfile(5)).
KEYFILE = "etc/NetworkManager/system-connections/fabricgen-{}.nmconnection"
RAILS = "etc/fabricgen/rails"

_NIC = Because(
    ("backend.servers", "backend.nic_addressing", "backend.addressing.nics"),
    "NIC r is on rail r; its table leads to the rail's block, and to all NICs where spines are",
)


def network_files(piece: HostSlice) -> list[HostFile]:
    """Return the table of rails, and what netplan, networkd or NetworkManager reads."""
    view = Network(piece.server.name, tuple(_lines(piece, rail) for rail in piece.rails), _NIC)
    files = [single(RAILS, "hosts/rails", view)]
    kind = piece.share.plan.network
    if kind == "netplan":
        return [*files, single(NETPLAN, "hosts/netplan", view)]
    pattern = NETWORKD if kind == "networkd" else KEYFILE
    return files + [single(pattern.format(nic.name), f"hosts/{kind}", nic) for nic in view.nics]


def protected_files(network: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the files that only root may read."""
    if network == "networkd":
        return ()
    return (NETPLAN,) if network == "netplan" else tuple(map(KEYFILE.format, names))


def single(path: str, template: str, section: object) -> HostFile:
    """Return a file of one section."""
    return HostFile(path=path, index=SINGLE, view=Single(template, section))


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
        metric=plan.metric,
        block=block,
        prefixes=(block, everywhere) if everywhere else (block,),
        everywhere=everywhere or "-",
        leaf=rail.leaf,
        because=_NIC,
    )
