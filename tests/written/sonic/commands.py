"""WRITTEN, not recorded: what the programs of a right switch print, from frr.conf and CONFIG_DB.

It imports no reader. The documents of vtysh have the shape of FRR 8.4.4 and 10.3 as the lab's
answers in tests/unit/proof/state/looks have it; from FRR 10 on the VRF of a VNI is `tenantVrf`.
"""

import json
import re
from ipaddress import ip_interface
from typing import Any

from tests.written.sonic import databases
from tests.written.sonic.site import Switch

VTYSH = (
    "show evpn vni detail json",
    "show evpn next-hops vni all json",
    "show bgp vrf all neighbors json",
    "show bgp l2vpn evpn vni json",
    "show bfd peers json",
)
EVPN = "show bgp l2vpn evpn route vni all", "show bgp l2vpn evpn route type prefix"
PROCESSES = {
    "bgp": ("zebra", "bgpd", "fpmsyncd", "staticd", "bfdd"),
    "swss": (
        *("orchagent", "portsyncd", "neighsyncd", "intfmgrd", "portmgrd", "vlanmgrd", "vrfmgrd"),
        *("vxlanmgrd", "fdbsyncd", "buffermgrd", "nbrmgrd", "coppmgrd"),
    ),
    "syncd": ("syncd",),
    "teamd": ("teamsyncd", "teammgrd", "tlm_teamd"),
    "lldp": ("lldpd", "lldpmgrd", "lldp-syncd"),
}
CONTAINERS = (*PROCESSES, "database", "pmon", "snmp", "gnmi")
Document = Any


def old(switch: Switch) -> bool:
    """Return whether its FRR is older than 10."""
    return switch.release == "202405"


def written(switch: Switch) -> dict[str, str]:
    """Return what each call of a program prints. Files have their path."""
    documents = vtysh(switch)
    branch = switch.release
    texts = {
        "docker exec lldp lldpctl -f json0": json.dumps(lldp(switch)),
        "ip -j link show type vlan": json.dumps(vlan_devices(switch)),
        "ip -j address show dev eth0": json.dumps(management(switch)),
        "ip -j -4 route show table main proto bgp": json.dumps(routes(switch)),
        "docker ps --format {{.Names}}": "".join(f"{name}\n" for name in CONTAINERS),
        "/etc/sonic/sonic_version.yml": (
            f"---\nbuild_version: '{branch}.81234-0a1b2c3d4'\ndebian_version: '12.11'\n"
            f"asic_type: broadcom\nbranch: '{branch}'\nbuild_number: 81234\n"
        ),
        "/proc/uptime": "864000.25 1700000.11\n",
        f"docker exec bgp vtysh -c {EVPN[0]} -c {EVPN[1]}": evpn(switch),
        **dict.fromkeys(
            (
                "ip -4 -o route show table all proto bgp",
                "ip -6 -o route show table all proto bgp",
                "ip -4 neigh show",
                "bridge fdb show",
            ),
            "",
        ),
        "sonic-cfggen -d --print-data": "{}\n",
        "/etc/sonic/config_db.json": "{}\n",
    }
    asked = " ".join(f"-c {line}" for line in VTYSH)
    texts[f"docker exec bgp vtysh -E {asked}"] = told(switch.name, documents)
    for container, names in PROCESSES.items():
        texts[f"docker exec {container} supervisorctl status"] = supervised(names)
    if branch < "202505":
        texts["ntpq -pn"] = (
            "     remote           refid      st t when poll reach   delay   offset   jitter\n"
            "===========================================================================\n"
            "*10.255.3.1      .GPS.            1 u   33   64  377   0.3000   0.0010   0.0100\n"
        )
    else:
        texts["chronyc -c -n tracking"] = (
            "0AFF0301,10.255.3.1,2,1764521000.1,0.000001,0.000002,0.000003,-3.5,0.0,0.02,"
            "0.001,0.002,64.2,Normal\n"
        )
    return texts


def told(host: str, documents: dict[str, Document]) -> str:
    """Return what `vtysh -E` prints: each command after a prompt, then its answer."""
    return "".join(
        f"{host}# {line}\n{'' if own is None else json.dumps(own, indent=2)}\n"
        for line, own in documents.items()
    )


def supervised(names: tuple[str, ...]) -> str:
    rows = [f"{name:<33}RUNNING   pid {30 + at}, uptime 9:59:00" for at, name in enumerate(names)]
    once = [f"{name:<33}EXITED    Nov 20 10:00 AM" for name in ("dependent-startup", "start")]
    return "\n".join((*once, *rows)) + "\n"


def vtysh(switch: Switch) -> dict[str, Document]:
    peers, watched = sessions(switch)
    return {
        VTYSH[0]: vnis(switch),
        VTYSH[1]: {},
        VTYSH[2]: peers,
        VTYSH[3]: targets(switch),
        VTYSH[4]: watched
        if switch.config["DEVICE_METADATA"]["localhost"].get("frr_mgmt_framework_config") == "true"
        else None,
    }


def vnis(switch: Switch) -> Document:
    """Return the VNIs of zebra."""
    word, own = "vrf" if old(switch) else "tenantVrf", databases.endpoint(switch)
    of_vrf = {row["vni"]: vrf for vrf, row in switch.config.get("VRF", {}).items() if "vni" in row}
    found: list[Document] = []
    for vni, vlan in databases.vnis(switch).items():
        if vni in of_vrf:
            found.append(
                {
                    "vni": int(vni),
                    "type": "L3",
                    "localVtepIp": own,
                    "vxlanIntf": f"vtep-{vlan[4:]}",
                    "sviIntf": vlan,
                    "state": "Up",
                    "vrf": of_vrf[vni],
                }
            )
        else:
            row = switch.config.get("VLAN_INTERFACE", {}).get(vlan, {})
            found.append(
                {
                    "vni": int(vni),
                    "type": "L2",
                    "vlan": int(vlan[4:]),
                    word: row.get("vrf_name", "default"),
                    "vxlanInterface": f"vtep-{vlan[4:]}",
                    "sviInterface": vlan,
                    "vtepIp": own,
                    "numMacs": 3,
                    "numArpNd": 2,
                }
            )
    return found


def targets(switch: Switch) -> Document:
    """Return the VNIs of bgpd, from the rd and route-target lines of frr.conf."""
    of_vrf = {vrf: row["vni"] for vrf, row in switch.config.get("VRF", {}).items() if "vni" in row}
    found: dict[str, Document] = {}
    for match in re.finditer(r"(?ms)^  vni (\d+)\n(.*?)^  exit-vni", switch.frr):
        found[match[1]] = _announced(match[1], "L2", match[2])
    blocks = re.finditer(r"(?ms)^router bgp \d+ vrf (\S+)\n(.*?)^exit$", switch.frr)
    for match in blocks:
        if (vni := of_vrf.get(match[1])) and "rd " in match[2]:
            found[vni] = _announced(vni, "L3", match[2])
    return {"numVnis": len(found), "advertiseAllVnis": "Enabled", **found} if found else {}


def _announced(vni: str, kind: str, block: str) -> Document:
    return {
        "vni": int(vni),
        "type": kind,
        "inKernel": "True",
        "rd": re.findall(r"^ +rd (\S+)", block, re.MULTILINE)[0],
        "importRTs": re.findall(r"route-target import (\S+)", block),
        "exportRTs": re.findall(r"route-target export (\S+)", block),
    }


def sessions(switch: Switch) -> tuple[Document, list[Document]]:
    """Return every BGP session of frr.conf as established, and the BFD sessions."""
    peers: dict[str, dict[str, Document]] = {}
    watched: list[Document] = []
    for match in re.finditer(r"(?ms)^router bgp (\d+)(?: vrf (\S+))?\n(.*?)^exit$", switch.frr):
        vrf, block = match[2] or "default", match[3]
        own: dict[str, Document] = {"vrfId": 0, "vrfName": vrf}
        for name, asn in re.findall(r"^ neighbor (\S+) remote-as (\d+)", block, re.MULTILINE):
            group = re.search(
                rf"^ neighbor {re.escape(name)} .*?peer-group (\S+)", block, re.MULTILINE
            )
            words = {name, *([group[1]] if group else ())}
            own[name] = _peer(int(asn), _families(block, words))
            if words & set(re.findall(r"^ neighbor (\S+) bfd$", block, re.MULTILINE)):
                watched.append(_watched(switch, vrf, name))
        peers[vrf] = own
    return peers, watched


def _families(block: str, words: set[str]) -> list[str]:
    names = {"ipv4 unicast": "ipv4Unicast", "ipv6 unicast": "ipv6Unicast"}
    names["l2vpn evpn"] = "l2VpnEvpn"
    found = []
    for family, lines in re.findall(r"(?ms)^ address-family (.*?)$(.*?)^ exit", block):
        active = set(re.findall(r"neighbor (\S+) activate", lines))
        if active & words:
            found.append(names[family])
    return found


def _peer(asn: int, families: list[str]) -> Document:
    return {
        "remoteAs": asn,
        "bgpState": "Established",
        "bgpTimerUpMsec": 540000,
        "gracefulRestartInfo": {"endOfRibRecv": dict.fromkeys(families, True)},
        "messageStats": {"depthInq": 0, "depthOutq": 0, "updatesSent": 2, "updatesRecv": 5},
        "addressFamilyInfo": {
            name: {"acceptedPrefixCounter": 5, "sentPrefixCounter": 2} for name in families
        },
        "connectionsEstablished": 1,
        "connectionsDropped": 0,
    }


def _watched(switch: Switch, vrf: str, name: str) -> Document:
    interval = re.search(r"receive-interval (\d+)", switch.frr)
    many = re.search(r"detect-multiplier (\d+)", switch.frr)
    unnumbered = name.startswith(("Ethernet", "PortChannel"))
    return {
        "multihop": False,
        "peer": "fe80::1" if unnumbered else name,
        "vrf": vrf,
        **({"interface": name} if unnumbered else {}),
        "status": "up",
        "receive-interval": int(interval[1]) if interval else 300,
        "transmit-interval": 300,
        "detect-multiplier": int(many[1]) if many else 3,
    }


def evpn(switch: Switch) -> str:
    """Return the two tables of EVPN routes as text: paths of the other leafs, and its own."""
    own, lines = databases.endpoint(switch), []
    for vni in databases.vnis(switch):
        if vni in databases.transit(switch):
            continue
        lines += [f"VNI: {vni}", "", "   Network          Next Hop            Metric LocPrf Weight"]
        for far in (own, *databases.remote(switch, vni)):
            lines += [f"*> [3]:[0]:[32]:[{far}]", f"                    {far}(fe-spine1)"]
            lines += [f"                    RT:64999:{vni} ET:8"]
            if far != own:
                lines += [f"*  [3]:[0]:[32]:[{far}]", f"                    {far}(fe-spine2)"]
                lines += [f"                    RT:64999:{vni} ET:8"]
    lines += ["BGP table version is 2, local router ID is 10.64.0.1"]
    for other in switch.others.values() if own else ():
        for vrf, row in other.config.get("VRF", {}).items():
            for prefix in _subnets(other, vrf):
                address, _, length = prefix.partition("/")
                far = databases.endpoint(other)
                lines += [f"Route Distinguisher: {far}:3001"]
                lines += [f"*> [5]:[0]:[{length}]:[{address}]"]
                lines += [f"                    {far}(fe-spine1)"]
                lines += [f"                    RT:64999:{row['vni']} ET:8 Rmac:02:fb:0a:41:00:02"]
    return "\n".join(lines) + "\n"


def _subnets(switch: Switch, vrf: str) -> list[str]:
    rows = switch.config.get("VLAN_INTERFACE", {})
    return [
        str(ip_interface(key.partition("|")[2]).network)
        for key in rows
        if "|" in key and rows.get(key.partition("|")[0], {}).get("vrf_name") == vrf
    ]


def lldp(switch: Switch) -> Document:
    """Return the neighbors of lldpd. A SONiC neighbor sends its alias; servers have no LLDP."""
    found = []
    for port, row in switch.config["DEVICE_NEIGHBOR"].items():
        other = switch.others.get(row["name"])
        if other is None:
            continue
        alias = other.config["PORT"][row["port"]]["alias"]
        found.append(
            {
                "name": port,
                "via": "LLDP",
                "chassis": [{"id": [{"type": "mac"}], "name": [{"value": row["name"]}]}],
                "port": [
                    {
                        "id": [{"type": "local", "value": alias}],
                        "descr": [{"value": row["port"]}],
                    }
                ],
            }
        )
    return {"lldp": [{"interface": found}]}


def vlan_devices(switch: Switch) -> Document:
    rows = switch.config.get("VLAN_INTERFACE", {})
    vlans = switch.config.get("VLAN", {})
    return [
        {
            "ifname": name,
            "flags": ["BROADCAST", "MULTICAST", "UP", "LOWER_UP"],
            "mtu": 9164,
            "address": vlans[name].get("mac", "1c:34:da:00:00:01"),
        }
        for name in rows
        if "|" not in name
    ]


def management(switch: Switch) -> Document:
    addresses = []
    for key in switch.config["MGMT_INTERFACE"]:
        address, _, length = key.partition("|")[2].partition("/")
        addresses.append({"local": address, "prefixlen": int(length), "scope": "global"})
    addresses.append({"local": "fe80::2", "prefixlen": 64, "scope": "link"})
    flags = ["BROADCAST", "MULTICAST", "UP", "LOWER_UP"]
    return [{"ifname": "eth0", "flags": flags, "addr_info": addresses}]


def routes(switch: Switch) -> Document:
    """Return the kernel's routes. The kernel omits the length of a host route."""
    return [
        {
            "dst": prefix.removesuffix("/32"),
            "metric": 20,
            **(
                {"dev": ports[0]}
                if len(ports) == 1
                else {"nexthops": [{"dev": port, "flags": []} for port in ports]}
            ),
        }
        for prefix, ports in databases.reached(switch).items()
    ]
