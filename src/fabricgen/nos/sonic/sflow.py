"""Lower sFlow to its CONFIG_DB tables: collectors and one row for each port in use.

Forms: sonic-sflow.yang. The container is off by default (sonic-buildimage rules/docker-sflow.mk,
files/build_templates/init_cfg.json.j2), and the switch manages the FEATURE table.
"""

from fabricgen.core.provenance import Provenance
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.sonic.names import MANAGEMENT_PORT, MANAGEMENT_VRF
from fabricgen.nos.sonic.ports import Named
from fabricgen.nos.sonic.view import Entry, Field, Tables

POLLING = "20"
"""Seconds between counters, the default of the model."""


def sflow(switch_slice: SwitchSlice, named: list[Named]) -> Tables:
    """Return collectors and sampled ports; a collector is named after its address."""
    wanted = switch_slice.services.sflow
    if wanted is None:
        return {}
    why = Provenance((switch_slice.services.at("sflow"),), "every port in use is sampled")
    agent: dict[str, Field] = {
        "admin_state": "up",
        "polling_interval": POLLING,
        "agent_id": MANAGEMENT_PORT,
    }
    rate: dict[str, Field] = {"admin_state": "up", "sample_rate": str(wanted.rate)}
    used = [names.name for item, names in named if item.use is not Use.UNUSED]
    return {
        "SFLOW": {"global": Entry(why, agent)},
        "SFLOW_COLLECTOR": {host: Entry(why, _collector(host)) for host in wanted.collectors},
        "SFLOW_SESSION": {name: Entry(why, rate) for name in used},
    }


def _collector(host: str) -> dict[str, Field]:
    return {"collector_ip": host, "collector_port": "6343", "collector_vrf": MANAGEMENT_VRF}
