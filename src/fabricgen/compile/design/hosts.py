"""Plan the NIC settings of each set of server ports."""

from collections.abc import Sequence

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.share import tables_of
from fabricgen.compile.design.wiring.backend import network_of
from fabricgen.compile.design.wiring.routed import network_on
from fabricgen.compile.design.wiring.tiers import length_of
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.intent.model.backend import Backend, GpuServers
from fabricgen.intent.model.fabric import KindPorts
from fabricgen.intent.model.frontend import Frontend
from fabricgen.intent.model.routed import Routed, Side, SideServers
from fabricgen.intent.paths import at
from fabricgen.model.fabric.hosts import HostPlan

Ports = tuple[IntentPath, str]
"""The place of servers in the intent, which all of a kind have, and a set of their ports."""
HostPlans = dict[Ports, HostPlan]
USUAL = "connectx-7"
"""Default NIC of a lossless routed fabric."""


def rail_plans(kinds: Sequence[Backend], findings: Findings) -> HostPlans:
    """Plan the NICs of each kind of servers on rails."""
    return {rails_of(words): _on_rails(words, findings) for words in kinds}


def rails_of(words: Backend) -> Ports:
    """Return the NIC settings of a kind of servers on rails."""
    return _place(words.kind_of_servers, words.at("servers")), network_of(words)


def routed_plans(words: Routed, findings: Findings) -> HostPlans:
    """Plan the NICs of the servers on each side of a routed fabric."""
    return {
        (_place(side.kind, words.servers_at(name)), network_on(side)): _on_side(
            words, name, side, findings
        )
        for name, side in words.each_side.items()
    }


def bridged_plans(words: Frontend, findings: Findings) -> HostPlans:
    """Plan the NICs of each set of ports on an evpn fabric that names its NIC."""
    return {
        (_place(each, each.at()), each.network): plan
        for each in words.served
        if (plan := _on_leafs(words, each, findings)) is not None
    }


def _place(kind: KindPorts | None, own: IntentPath) -> IntentPath:
    return at(*own) if kind is None else at("servers", kind.kind)


def _on_rails(words: Backend, findings: Findings) -> HostPlan:
    """Plan one kind; an unknown NIC is reported later, and has one queue pair."""
    servers, spread = words.servers, words.load_balancing
    model = words.catalog.nic(servers.nic)
    nics, path = servers.nics or servers.gpus, words.at("servers", "nic_slots")
    return HostPlan(
        nic=servers.nic,
        catalog=words.catalog,
        ports=servers.nic_ports,
        length=length_of(servers),
        tables=tables_of(words),
        railed=True,
        queue_pairs=spread.queue_pairs or (model.queue_pairs if model else 1),
        reorders=model is not None and model.spray,
        sprayed=spread.mode == "spray",
        spreads=model is not None and model.spreads,
        slots=_slots(servers, nics, path, findings),
        servers=words.at("servers"),
        keys={
            key: words.at("servers", key) for key in ("nic", "nic_ports", "nic_slots", "nic_speed")
        },
    )


def _on_side(words: Routed, name: str, side: Side, findings: Findings) -> HostPlan:
    """Plan the servers of one side; without a class for RoCE any NIC will do."""
    servers = side.seated
    keys = {key: words.servers_at(name, key) for key in ("nic", "nic_ports", "nic_slots")}
    _judge_ports(servers.ports, servers.nic_ports, keys["nic_ports"], findings)
    lossless = words.roce is not None and words.roce.enabled
    nics = servers.ports // servers.nic_ports
    return HostPlan(
        nic=servers.nic or (USUAL if lossless else ""),
        catalog=words.catalog,
        ports=servers.nic_ports,
        length=length_of(servers),
        tables=tables_of(words),
        railed=False,
        slots=_slots(servers, nics, keys["nic_slots"], findings),
        servers=words.servers_at(name),
        keys={**keys, "nic_speed": words.servers_at(name, "speed")},
    )


def _on_leafs(words: Frontend, each: KindPorts, findings: Findings) -> HostPlan | None:
    """Plan one set of ports; None without a name, since nothing is set on its NICs."""
    ports, said = each.ports, each.ports.model_fields_set
    keys = {key: each.at(key) for key in ("nic", "nic_ports")}
    name, nic_ports = ports.unless_refused("nic"), ports.unless_refused("nic_ports")
    if name is None or nic_ports is None:
        return None
    if "nic" not in said:
        if "nic_ports" in said:
            message = "the ports of a NIC are set, but not the NIC"
            hint = "set its model in `nic`"
            findings.error(Code.MISSING_KEY, message, keys["nic_ports"], hint)
        return None
    _judge_ports(ports.unless_refused("ports") or 0, nic_ports, keys["nic_ports"], findings)
    return HostPlan(
        nic=name,
        catalog=words.catalog,
        ports=nic_ports,
        length=length_of(ports),
        tables=0,
        railed=False,
        servers=each.at(),
        keys={**keys, "nic_speed": each.at("speed")},
    )


def _judge_ports(ports: int, nic_ports: int, path: IntentPath, findings: Findings) -> None:
    """Report a server whose number of ports is not a multiple of the ports per NIC."""
    if ports % nic_ports:
        findings.error(
            Code.BAD_VALUE,
            f"{ports} ports of a server are not a multiple of {nic_ports} ports per NIC",
            path,
        )


def _slots(
    servers: GpuServers | SideServers, nics: int, path: IntentPath, findings: Findings
) -> tuple[str, ...]:
    """Return the PCI addresses of a server's NICs, and say where they are not one for each."""
    slots = tuple(servers.nic_slots or ())
    if slots and len(set(slots)) != nics:
        findings.error(
            Code.BAD_VALUE,
            f"a server has {nics} NICs, but {len(set(slots))} different PCI addresses",
            path,
            "list one address for each NIC, in the order of its ports",
        )
    return slots
