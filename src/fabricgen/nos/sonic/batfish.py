"""Reduce the rendered files of a SONiC switch to the lines that Batfish's reader supports.

pybatfish docs/source/formats.md, SONiC: a folder for each switch, with these two files and no
others. Batfish's reader has only the default VRF and the management VRF, and puts every port into
the default one. It fails for a switch with a neighbor in `l2vpn evpn` (batfish
SonicConfiguration.java@17209455: `hasVrf`, `getInterfaceVrf`, `getVxlans`). So tenants' VRFs, their
interfaces and EVPN are omitted.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from fabricgen.nos.nos import Export

LEFT = "VRFs of tenants and EVPN are omitted, because Batfish's reader of SONiC lacks them"
_ROUTED = (
    "INTERFACE",
    "LOOPBACK_INTERFACE",
    "PORTCHANNEL_INTERFACE",
    "VLAN_INTERFACE",
    "VLAN_SUB_INTERFACE",
)
_OVERLAY = ("VRF", "VXLAN_TUNNEL", "VXLAN_EVPN_NVO", "VXLAN_TUNNEL_MAP")
_VRF = re.compile(
    r"^(?:vrf \S+|router bgp \d+ vrf \S+)\n(?:.*\n)*?(?:exit-vrf|exit)\n!?\n?", re.MULTILINE
)
_EVPN = re.compile(
    r"^ address-family l2vpn evpn\n((?:  .*\n)*?) exit-address-family\n(?: !\n)?", re.MULTILINE
)
_ACTIVE = re.compile(r"^  neighbor (\S+) activate$", re.MULTILINE)
_MEMBER = r"^ neighbor (\S+)(?: interface)? peer-group (?:{})$"


def snapshot(switch: str, files: Mapping[str, str]) -> Export:
    """Return the files of a snapshot by path."""
    tables = json.loads(files["config_db.json"])
    routing = "".join(_default_alone(files["frr.conf"]))
    kept = _in_default(tables)
    left = LEFT if kept != tables or routing != files["frr.conf"] else ""
    texts = {
        "config_db.json": json.dumps(kept, indent=4) + "\n" if left else files["config_db.json"],
        "frr.conf": routing,
    }
    return Export({f"sonic_configs/{switch}/{name}": text for name, text in texts.items()}, left)


def _in_default(tables: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return the tables without the overlay and without interfaces of other VRFs."""
    kept: dict[str, Any] = {}
    for name, rows in tables.items():
        if name in _OVERLAY:
            continue
        apart = {key for key, row in rows.items() if name in _ROUTED and "vrf_name" in row}
        kept[name] = {key: row for key, row in rows.items() if key.partition("|")[0] not in apart}
    return kept


def _default_alone(text: str) -> Iterator[str]:
    """Yield the lines of frr.conf without VRFs, EVPN, and neighbors that only use EVPN."""
    plain = _VRF.sub("", text)
    evpn = {name for own in _EVPN.findall(plain) for name in _ACTIVE.findall(own)}
    plain = _EVPN.sub("", plain)
    alone = evpn - {*_ACTIVE.findall(plain)}
    if alone:
        members = re.compile(_MEMBER.format("|".join(map(re.escape, alone))), re.MULTILINE)
        alone |= {*members.findall(plain)}
    for line in plain.splitlines(keepends=True):
        words = line.split()
        if not (line.startswith(" neighbor ") and words[1] in alone):
            yield line
