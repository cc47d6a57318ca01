"""Read from FRR and the kernel whether the VLANs and VRFs of the overlay carry traffic.

Sources of the shapes: FRR 8.4.4 in the lab, whose answers the tests contain.
zebra/zebra_vxlan.c and bgpd/bgp_evpn_vty.c of FRR 8.5 to 10.3 print the same keys.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, NamedTuple

from fabricgen.core.record import record
from fabricgen.nos.questions import Answer, UnreadableError
from fabricgen.nos.shared.frr.show import vrf_of
from fabricgen.nos.traffic import HOSTS, SERVERS, SUBNETS, Bridged, Routed

TABLES = "show bgp l2vpn evpn route vni all", "show bgp l2vpn evpn route type prefix"
# awk counts, because a leaf may know thousands of MACs. A best path begins with `*>`, its next hop
# is the first word of the next line. A VNI's table names the VNI above the paths; type 5 has its
# target below.
_COUNT = r"""
/is not running/ { print; exit 1 }
/^VNI: / { vni = $2 }
/^Route Distinguisher/ { vni = "" }
/^\*/ { best = /^\*[ =]?>/; split($0, word, /[\[\]]/); type = word[2]
  if (best && vni && type != 5) n[vni " " type " *"]++
  hop = ""; next }
hop == "" { hop = $1; sub(/\(.*/, "", hop) }
/RT:/ { if (best && type == 5 && !vni)
  for (i = 1; i <= NF; i++) if (sub(/^RT:/, "", $i)) n[$i " 5 " hop]++ }
END { for (key in n) print key, n[key] }
"""
_SUBNETS = rf"""
{{ table = ""; for (i = 1; i < NF; i++) if ($i == "table") table = $(i + 1) }}
table == "" {{ next }}
/ onlink/ {{ for (i = 1; i < NF; i++) if ($i == "via" && !ways[table " " $(i + 1)]++)
  print table, "hop", $(i + 1) }}
$1 == "default" || $1 ~ /\// {{ if (seen[table]++ < {SUBNETS}) print table, $1; next }}
{{ hosts[table]++; for (i = 1; i < NF; i++) if ($i == "via" && told[table]++ < {HOSTS})
  print table, "host", $1, $(i + 1) }}
END {{ for (table in hosts) print table, "hosts", hosts[table] }}
"""


# Kernel entries, not zebra's, because packets follow them. MACs are filtered out.
_FLOODS = """
$1 == "00:00:00:00:00:00" { for (i = 2; i < NF; i++) if ($i == "dst") print $3, $(i + 1) }
"""
FLOODS = f"bridge fdb show | awk '{_FLOODS}'"
# Servers that answered the switch at a local port: zebra installs others as extern_learn. The
# bridge comes first, and gives the port of each MAC.
_SERVERS = rf"""
$1 ~ /:/ {{ for (i = 4; i < NF; i++) if ($i == "vlan" && !/extern_learn|permanent/)
  port[$1 " " $(i + 1)] = $3
  next }}
$2 == "dev" && $3 ~ /^[Vv]lan[0-9]+$/ && $4 == "lladdr" && !/extern_learn|FAILED|NOARP|PERMANENT/ {{
  if (seen[$3]++ < {SERVERS}) print substr($3, 5), $1, $5, port[$5 " " substr($3, 5)] }}
"""


def counting(vtysh: str) -> tuple[tuple[str, str], ...]:
    """Return commands with bounded output that count and list. `vtysh`: how vtysh runs."""
    asked = " ".join(f"-c '{table}'" for table in TABLES)
    both = "ip -4 -o route show table all proto bgp; ip -6 -o route show table all proto bgp"
    return (
        ("evpn", f"{vtysh} {asked} 2>&1 | awk '{_COUNT}'"),
        ("vrfs", f"{{ {both}; }} | awk '{_SUBNETS}'"),
        ("floods", FLOODS),
        ("servers", f"{{ bridge fdb show; ip -4 neigh show | sort; }} | awk '{_SERVERS}'"),
    )


_PREFIX = 5
Count = tuple[str, int, str]
"""A VNI, a type and `*`; or a target, 5 and a next hop."""


class Server(NamedTuple):
    """MAC of a server and its port of the bridge; empty where the bridge forgot it."""

    mac: str
    port: str = ""


@record(kw_only=True)
class Table:
    """Kernel routes of a VRF: subnets, number of host routes, and VTEPs (onlink).

    `servers`: a few of the hosts, and the VTEP of each.
    """

    subnets: frozenset[str] = frozenset()
    servers: Mapping[str, str] = field(default_factory=dict)
    hosts: int = 0
    hops: frozenset[str] = frozenset()


@record(kw_only=True)
class Overlay:
    """Raw answers about the overlay.

    Attributes:
        tables: Tables of the kernel's VRFs.
        devices: VLANs of VXLAN devices.
        `floods`: VTEPs in the kernel's flood list, by VXLAN device.
        servers: MAC and port by address, by VLAN.
        gateways: Address and MAC, by VLAN.
    """

    vnis: Sequence[Mapping[str, Any]]
    targets: Mapping[str, Any]
    hops: Mapping[str, Any]
    routes: Mapping[Count, int]
    tables: Mapping[str, Table]
    devices: Mapping[str, int]
    floods: Mapping[str, frozenset[str]]
    servers: Mapping[int, Mapping[str, Server]]
    gateways: Mapping[int, str] = field(default_factory=dict)


def counts(answer: Answer) -> dict[Count, int]:
    """Return the numbers of routes: of a VNI by type, of a target by next hop."""
    return {(name, int(kind), hop): int(count) for name, kind, hop, count in _rows(answer)}


def tables(answer: Answer) -> dict[str, Table]:
    """Return the kernel routes of each VRF."""
    subnets: dict[str, set[str]] = defaultdict(set)
    hops: dict[str, set[str]] = defaultdict(set)
    servers: dict[str, dict[str, str]] = defaultdict(dict)
    hosts: dict[str, int] = {}
    for table, word, *more in _rows(answer):
        if word == "hosts":
            hosts[table] = int(more[0])
        elif word == "host":
            servers[table][more[0]] = more[1]
        elif word == "hop":
            hops[table].add(more[0])
        else:
            subnets[table].add(word)
    return {
        name: Table(
            subnets=frozenset(subnets[name]),
            servers=servers[name],
            hosts=hosts.get(name, 0),
            hops=frozenset(hops[name]),
        )
        for name in {*subnets, *hops, *hosts}
    }


def _rows(answer: Answer) -> list[list[str]]:
    if answer.status:
        raise UnreadableError((answer.text.strip().splitlines() or ["no output"])[0])
    return [line.split() for line in answer.text.splitlines() if line.strip()]


def floods(answer: Answer) -> dict[str, frozenset[str]]:
    """Return the VTEPs in the flood list of each VXLAN device."""
    lists: dict[str, set[str]] = {}
    for device, far in _rows(answer):
        lists.setdefault(device, set()).add(far)
    return {device: frozenset(far) for device, far in lists.items()}


def servers(answer: Answer) -> dict[int, dict[str, Server]]:
    """Return a few servers of each VLAN, by address."""
    known: dict[int, dict[str, Server]] = {}
    for vlan, address, mac, *port in _rows(answer):
        known.setdefault(int(vlan), {})[address] = Server(mac, *port[:1])
    return known


def vtep(vnis: Iterable[Mapping[str, Any]]) -> str:
    """Return the source address of the tunnels; empty without tunnels."""
    found = (shown.get("vtepIp") or shown.get("localVtepIp") for shown in vnis)
    return next((str(each) for each in found if each), "")


def vlans(seen: Overlay) -> dict[int, Bridged]:
    """Return every VLAN that has a VNI of layer 2."""
    return {
        (number := seen.devices[shown["vxlanInterface"]]): Bridged(
            vni=int(shown["vni"]),
            far=seen.floods.get(shown["vxlanInterface"], frozenset()),
            macs=int(shown["numMacs"]) if "numMacs" in shown else None,
            routes={
                kind: count
                for (vni, kind, _), count in seen.routes.items()
                if vni == str(shown["vni"])
            },
            gateway=seen.gateways.get(number, ""),
            servers={at: own.mac for at, own in seen.servers.get(number, {}).items()},
            ports={at: own.port for at, own in seen.servers.get(number, {}).items() if own.port},
        )
        for shown in seen.vnis
        if shown.get("type") == "L2" and shown.get("vxlanInterface") in seen.devices
    }


def vrfs(seen: Overlay) -> dict[str, Routed]:
    """Return every VRF that has a VNI."""
    return {vrf_of(shown): _vrf(shown, seen) for shown in seen.vnis if shown.get("type") == "L3"}


def _vrf(shown: Mapping[str, Any], seen: Overlay) -> Routed:
    vni = str(shown["vni"])
    targets = seen.targets.get(vni, {}).get("importRTs", ())
    table = seen.tables.get(vrf_of(shown), Table())
    return Routed(
        vni=int(vni),
        up=shown.get("state") == "Up",
        hops={
            **dict.fromkeys(table.hops, ""),
            **{
                hop: str(own.get("routerMac", ""))
                for hop, own in seen.hops.get(vni, {}).items()
                if isinstance(own, dict)
            },
        },
        subnets=table.subnets,
        hosts=table.hosts,
        servers=table.servers,
        prefixes={
            hop: count
            for (target, kind, hop), count in seen.routes.items()
            if kind == _PREFIX and target in targets
        },
    )
