"""Write the services of a switch: openconfig-system, -lldp and -sampling-sflow."""

from fabricgen.model.fabric.interface import Use
from fabricgen.nos.lowering import spell
from fabricgen.operate.export.openconfig.tree import Piece, Tree, entry, listed, pruned

SFLOW_PORT = 6343
"""IANA's port of sFlow collectors."""


def system(piece: Piece) -> Tree:
    """Return host name, DNS, time, logs and the gNMI server."""
    own, vrf = piece.switch_slice, piece.management_vrf
    services = own.services
    clocks = [entry({"address": each, "network-instance": vrf}, "address") for each in services.ntp]
    logs = [entry({"host": each, "network-instance": vrf}, "host") for each in services.syslog]
    names = [entry({"address": each}, "address") for each in services.dns]
    config = {
        "hostname": own.switch.name,
        "domain-name": services.domain,
        "login-banner": services.banner,
    }
    search = {"search": [services.domain]} if services.domain is not None else {}
    dns = {"config": search, "servers": listed("server", names)}
    ntp = {"config": {"enabled": True}, "servers": listed("server", clocks)} if clocks else {}
    return pruned(
        {
            "config": pruned(config),
            "dns": pruned(dns),
            "ntp": ntp,
            "logging": pruned({"remote-servers": listed("remote-server", logs)}),
            "openconfig-system-grpc:grpc-servers": _grpc(piece),
        }
    )


def _grpc(piece: Piece) -> Tree:
    services = piece.switch_slice.services
    if services.gnmi is None or not piece.supports("gnmi"):
        return {}
    config = {
        "name": "gnmi",
        "services": ["openconfig-system-grpc:GNMI"],
        "enable": True,
        "port": services.gnmi.port,
        "certificate-id": services.tls.certificate if services.tls is not None else None,
        "network-instance": piece.management_vrf,
    }
    return listed("grpc-server", [entry(config, "name")])


def lldp(piece: Piece) -> Tree:
    """Return LLDP, which runs on every used port and on the management port."""
    own = piece.switch_slice
    used = [spell(own.switch, each.port) for each in own.interfaces if each.use is not Use.UNUSED]
    ports = [entry({"name": each, "enabled": True}, "name") for each in used]
    return {"config": {"enabled": True}, "interfaces": listed("interface", ports)}


def sampling(piece: Piece) -> Tree:
    """Return the packet samples."""
    flows = piece.switch_slice.services.sflow
    if flows is None or not piece.supports("sflow"):
        return {}
    collectors = [
        entry(
            {"address": each, "port": SFLOW_PORT, "network-instance": piece.management_vrf},
            *("address", "port"),
        )
        for each in flows.collectors
    ]
    config = {"enabled": True, "ingress-sampling-rate": flows.rate}
    sflow = {"config": config, "collectors": listed("collector", collectors)}
    return {"openconfig-sampling-sflow:sflow": sflow}
