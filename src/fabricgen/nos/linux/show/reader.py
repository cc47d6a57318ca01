"""The reader of plain Linux with FRR: its names, its script, what the script's output says."""

from __future__ import annotations

from fabricgen.nos.linux.names import (
    BRIDGE,
    LOOPBACK,
    MANAGEMENT_PORT,
    MANAGEMENT_TABLE,
    bond_name,
    bridge_mac,
    port_name,
    table,
    tunnel_name,
    vlan_name,
)
from fabricgen.nos.linux.show.commands import SCRIPT
from fabricgen.nos.linux.show.parse import parse
from fabricgen.nos.linux.show.queues import planned
from fabricgen.nos.spelling import Reader, Spelling

LINUX = Reader(
    Spelling(
        port=port_name,
        loopback=LOOPBACK,
        loopback_own=("127.0.0.1/8", "::1/128"),
        management=MANAGEMENT_PORT,
        management_table=MANAGEMENT_TABLE,
        vrf_own=("127.0.0.1/8",),
        bridge=BRIDGE,
        bridge_native=1,
        bridge_mac=bridge_mac,
        bond=bond_name,
        svi=vlan_name,
        tunnel=tunnel_name,
        table=table,
        queues=planned,
    ),
    SCRIPT,
    parse,
)
