"""The words of servers' NICs in; what is planned of each set of their ports out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fabricgen.design.wiring.backend import network_of
from fabricgen.design.wiring.cable_length import length_of
from fabricgen.diagnostics import Code, IntentPath
from fabricgen.fabric.hosts import HostPlan
from fabricgen.intent.paths import at

if TYPE_CHECKING:
    from fabricgen.design.findings import Findings
    from fabricgen.intent.model.backend import Backend

HostPlans = dict[tuple[IntentPath, str], HostPlan]
"""What is planned, by the place of the servers in the intent and the set of their ports."""
_KEYS = ("nic", "nic_ports", "nic_slots", "nic_speed")


def rail_plans(kinds: Sequence[Backend], findings: Findings) -> HostPlans:
    """Plan the NICs of each kind of servers on rails."""
    return {ports_of(words): _on_rails(words, findings) for words in kinds}


def ports_of(words: Backend) -> tuple[IntentPath, str]:
    """Return the place that all servers of a kind have, and the set of their ports."""
    kind = words.kind_of_servers
    place = at(*words.at("servers")) if kind is None else at("servers", kind.kind)
    return place, network_of(words)


def _on_rails(words: Backend, findings: Findings) -> HostPlan:
    """Plan one kind; a NIC that is not in the catalog is told later, and has one queue pair."""
    servers, spread = words.servers, words.load_balancing
    model, slots = words.catalog.nic(servers.nic), servers.nic_slots or ()
    nics = servers.nics or servers.gpus
    if slots and len(set(slots)) != nics:
        findings.error(
            Code.BAD_VALUE,
            f"{len(set(slots))} different PCI addresses for {nics} NICs of a server",
            words.at("servers", "nic_slots"),
            "list one for each NIC, in the order of the rails",
        )
    return HostPlan(
        nic=servers.nic,
        catalog=words.catalog,
        length=length_of(servers),
        queue_pairs=spread.queue_pairs or (model.queue_pairs if model else 1),
        reorders=model is not None and model.spray,
        sprayed=spread.mode == "spray",
        spreads=model is not None and model.spreads,
        slots=tuple(slots),
        servers=words.at("servers"),
        keys={key: words.at("servers", key) for key in _KEYS},
    )
