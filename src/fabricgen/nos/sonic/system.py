"""The switch itself in; its metadata, loopbacks and management port out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.fabric.because import Because
from fabricgen.nos.sonic.names import MANAGEMENT_PORT, MANAGEMENT_VRF, ROLES
from fabricgen.nos.sonic.view import Entry, Field, Section, Table

if TYPE_CHECKING:
    from fabricgen.fabric.switch import SwitchSlice
    from fabricgen.nos.sonic.facts import SonicFacts

_MANAGEMENT = Because(("site.management",), "the management port has its own VRF")


def system(piece: SwitchSlice, facts: SonicFacts) -> Section:
    """Return DEVICE_METADATA.

    No `mac`: it is in the switch's own EEPROM. `config reload` reads it from there when the file
    has none (sonic-utilities config/main.py load_sysinfo_if_missing). It must be saved afterwards:
    at boot nobody does that, and vlanmgrd and vxlanmgrd stop without it (sonic-swss cfgmgr).
    """
    fields: dict[str, Field] = {
        "hostname": piece.switch.name,
        "hwsku": facts.hwsku,
        "platform": facts.platform,
        "type": ROLES[piece.switch.role],
        "bgp_asn": str(piece.asn),
        # frr.conf is ours: CONFIG_DB has no words for L3VNI routes. FRR then reads
        # /etc/sonic/frr/frr.conf (sonic-buildimage dockers/docker-fpm-frr/docker_init.sh).
        "docker_routing_config_mode": "split-unified",
        "frr_mgmt_framework_config": "false",
        "buffer_model": "dynamic" if facts.dynamic else "traditional",
        # PFC_WD is ours too; `enable` would let `pfcwd start_default` replace it.
        "default_pfcwd_status": "disable",
        "synchronous_mode": "enable",
    }
    return Section({"DEVICE_METADATA": {"localhost": Entry(piece.switch.because, fields)}})


def management(piece: SwitchSlice) -> Section:
    """Return the management port, its address and its VRF, and where SNMP listens."""
    host = piece.management.host
    tables: dict[str, Table] = {
        "MGMT_PORT": {
            MANAGEMENT_PORT: Entry(_MANAGEMENT, {"alias": MANAGEMENT_PORT, "admin_status": "up"})
        },
        "MGMT_INTERFACE": {
            f"{MANAGEMENT_PORT}|{piece.management}": Entry(
                _MANAGEMENT, {"gwaddr": piece.services.gateway}
            )
        },
        "MGMT_VRF_CONFIG": {"vrf_global": Entry(_MANAGEMENT, {"mgmtVrfEnabled": "true"})},
    }
    if piece.services.snmp_community is not None:
        # Without this snmpd listens on every address (dockers/docker-snmp/snmpd.conf.j2).
        why = Because(("site.management.snmp",), "SNMP answers on the management address only")
        tables["SNMP_AGENT_ADDRESS_CONFIG"] = {f"{host}|161|{MANAGEMENT_VRF}": Entry(why, {})}
    return Section(tables)
