"""Faults that break one law each, planted in rendered files of every platform that shows it."""

import contextlib
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from tests.unit.invariants.small import Texts, database, tables, texts

from fabricgen.cli.main import run
from fabricgen.core.diagnostics import Code

Edit = Callable[[Texts], None]
EOS, FRR, LINUX = "eos.cfg", "etc/frr/frr.conf", "etc/network/interfaces"


class Fault(NamedTuple):
    """A change of files, and the diagnostic that must name it."""

    name: str
    code: Code
    site: str
    platform: str
    edit: Edit

    def planted(self) -> Texts:
        """Return the files with the fault."""
        every = texts(self.site, self.platform)
        self.edit(every)
        return every


def sub(switches: str, path: str, old: str, new: str, count: int = 1) -> Edit:
    """Replace a pattern in a file of the switches with such names."""

    def edit(every: Texts) -> None:
        names = [name for name in every if re.fullmatch(switches, name)]
        assert names
        for name in names:
            text, number = re.subn(old, new, every[name][path], count=count, flags=re.MULTILINE)
            assert number, (name, old)
            every[name][path] = text

    return edit


def put(switch: str, table: str, key: str, **fields: str | None) -> Edit:
    """Change fields of an entry of a CONFIG_DB, or remove the entry where none is given."""

    def edit(every: Texts) -> None:
        read = tables(every[switch])
        if not fields:
            del read[table][key]
        for name, value in fields.items():
            read[table][key] |= {name: value}
            if value is None:
                del read[table][key][name]
        every[switch]["config_db.json"] = database(read)

    return edit


def swap(switch: str, path: str, one: str, other: str) -> Edit:
    """Swap two texts in a file."""

    def edit(every: Texts) -> None:
        text = every[switch][path]
        assert one in text
        assert other in text
        text = text.replace(one, "\0").replace(other, one).replace("\0", other)
        every[switch][path] = text

    return edit


def _no_rs(every: Texts) -> None:
    """Remove the FEC of every port of every switch."""
    for own in every.values():
        read = tables(own)
        read["PORT"] = {
            name: {word: value for word, value in fields.items() if word != "fec"}
            for name, fields in read["PORT"].items()
        }
        own["config_db.json"] = database(read)


def _no_group(every: Texts) -> None:
    """Remove the lossless groups of a leaf."""
    read = tables(every["be-su01-leaf1"])
    read["BUFFER_PG"] = {key: own for key, own in read["BUFFER_PG"].items() if key[-2:] != "|3"}
    every["be-su01-leaf1"]["config_db.json"] = database(read)


L1, LEAF, SPINE = "fe-leaf01", r"fe-leaf\d+", r"fe-spine\d+"
BE = "be-su01-leaf1"
_ECN = r"(random-detect ecn minimum-threshold) 412400 (bytes maximum-threshold) 953665"
FAULTS = (
    Fault(
        "one table", Code.LAW_VRF, "rails", "linux", sub(LEAF, LINUX, "table 1003", "table 1002")
    ),
    Fault(
        "the main table", Code.LAW_VRF, "rails", "linux", sub(L1, LINUX, "table 1003", "table 254")
    ),
    Fault(
        "one VNI",
        Code.LAW_VRF,
        "rails",
        "eos",
        sub(LEAF, EOS, "vrf red vni 50003", "vrf red vni 50002"),
    ),
    Fault("one VNI", Code.LAW_VRF, "rails", "sonic", put(L1, "VRF", "Vrf_red", vni="50002")),
    Fault("one VNI", Code.LAW_VRF, "rails", "linux", sub(L1, FRR, " vni 50003$", " vni 50002")),
    Fault(
        "no virtual MAC",
        Code.LAW_GATEWAY,
        "rails",
        "eos",
        sub(LEAF, EOS, "^ip virtual-router mac.*\n", ""),
    ),
    Fault(
        "another MAC",
        Code.LAW_GATEWAY,
        "rails",
        "eos",
        sub(L1, EOS, "mac-address 00:1c:73:00:00:99", "mac-address 00:1c:73:00:00:98"),
    ),
    Fault(
        "another MAC",
        Code.LAW_GATEWAY,
        "rails",
        "sonic",
        put(L1, "VLAN", "Vlan20", mac="00:1c:73:00:00:98"),
    ),
    Fault(
        "another MAC",
        Code.LAW_GATEWAY,
        "rails",
        "linux",
        sub(L1, LINUX, "00:1c:73:00:00:99", "00:1c:73:00:00:98"),
    ),
    Fault(
        "another address",
        Code.LAW_GATEWAY,
        "rails",
        "eos",
        sub(L1, EOS, "virtual 10.2.0.1/24", "virtual 10.2.0.2/24"),
    ),
    Fault(
        "another address",
        Code.LAW_GATEWAY,
        "rails",
        "linux",
        sub(L1, LINUX, "address 10.2.0.1/24", "address 10.2.0.2/24"),
    ),
    Fault(
        "no hops",
        Code.LAW_SESSION,
        "rails",
        "eos",
        sub(LEAF, EOS, "^ +neighbor EVPN-ABOVE ebgp-multihop 3\n", ""),
    ),
    Fault(
        "no hops",
        Code.LAW_SESSION,
        "rails",
        "linux",
        sub(LEAF, FRR, "^ +neighbor EVPN-ABOVE ebgp-multihop 3\n", ""),
    ),
    Fault(
        "no hops",
        Code.LAW_SESSION,
        "rails",
        "sonic",
        sub(LEAF, "frr.conf", "^ +neighbor EVPN-ABOVE ebgp-multihop 3\n", ""),
    ),
    Fault(
        "no source",
        Code.LAW_SESSION,
        "rails",
        "eos",
        sub(L1, EOS, "^ +neighbor EVPN-ABOVE update-source.*\n", ""),
    ),
    Fault(
        "no source",
        Code.LAW_SESSION,
        "rails",
        "linux",
        sub(L1, FRR, "^ +neighbor EVPN-ABOVE update-source.*\n", ""),
    ),
    Fault(
        "own next hop",
        Code.LAW_SESSION,
        "rails",
        "eos",
        sub(SPINE, EOS, "^ +neighbor EVPN-BELOW next-hop-unchanged\n", ""),
    ),
    Fault(
        "no communities",
        Code.LAW_SESSION,
        "rails",
        "eos",
        sub(SPINE, EOS, "^ +neighbor EVPN-BELOW send-community\n", ""),
    ),
    Fault(
        "BFD at one end",
        Code.LAW_SESSION,
        "rails",
        "eos",
        sub(L1, EOS, "^ +neighbor UNDERLAY-ABOVE bfd\n", ""),
    ),
    Fault(
        "BFD at one end",
        Code.LAW_SESSION,
        "rails",
        "linux",
        sub(L1, FRR, "^ +neighbor ABOVE bfd.*\n", "", 2),
    ),
    Fault(
        "another LACP system",
        Code.LAW_BUNDLE,
        "pairs",
        "eos",
        sub(L1, EOS, "system-id 02fc.0a41.0001", "system-id 02fc.0a41.0009"),
    ),
    Fault(
        "another LACP system",
        Code.LAW_BUNDLE,
        "pairs",
        "linux",
        sub(L1, LINUX, "actor-system 02:fc:0a:41:00:01", "actor-system 02:fc:0a:41:00:09"),
    ),
    Fault(
        "another import",
        Code.LAW_BUNDLE,
        "pairs",
        "eos",
        sub(L1, EOS, "import 02:fc:0a:41:00:01", "import 02:fc:0a:41:00:09"),
    ),
    Fault(
        "another segment", Code.LAW_BUNDLE, "pairs", "eos", sub(L1, EOS, "0100:0001$", "0100:0009")
    ),
    Fault(
        "another VLAN",
        Code.LAW_BUNDLE,
        "pairs",
        "linux",
        sub(L1, LINUX, "bridge-access 20", "bridge-access 21"),
    ),
    Fault(
        "another VLAN",
        Code.LAW_BUNDLE,
        "pairs",
        "eos",
        sub(L1, EOS, "access vlan 20", "access vlan 21"),
    ),
    Fault(
        "no member",
        Code.LAW_BUNDLE,
        "pairs",
        "eos",
        sub(L1, EOS, "^ +channel-group 1 mode active\n", ""),
    ),
    Fault("no VLAN", Code.LAW_VLAN, "rails", "eos", sub(LEAF, EOS, "^vlan 20\n.*\n", "")),
    Fault(
        "no VLAN",
        Code.LAW_VLAN,
        "rails",
        "linux",
        sub(L1, LINUX, "bridge-vids 20 30", "bridge-vids 30"),
    ),
    Fault("no VLAN", Code.LAW_VLAN, "rails", "sonic", put(L1, "VLAN", "Vlan30")),
    Fault(
        "one router MAC",
        Code.LAW_ROUTER_MAC,
        "rails",
        "linux",
        sub(LEAF, LINUX, "02:fb:.*$", "02:fb:00:00:00:01"),
    ),
    Fault(
        "a MAC for groups",
        Code.LAW_ROUTER_MAC,
        "rails",
        "linux",
        sub(L1, LINUX, "02:fb:.*$", "03:fb:00:00:00:01"),
    ),
    Fault("no RS-FEC", Code.LAW_FEC, "rails", "sonic", _no_rs),
    Fault(
        "no RS-FEC at one end",
        Code.JUDGED_LINK,
        "rails",
        "sonic",
        put(L1, "PORT", "Ethernet112", fec=None),
    ),
    Fault(
        "another MTU",
        Code.JUDGED_LINK,
        "rails",
        "linux",
        sub("fe-spine1", LINUX, "mtu 9214", "mtu 9000"),
    ),
    Fault(
        "swapped subnets",
        Code.LAW_SWAPPED,
        "rails",
        "eos",
        swap(L1, EOS, "10.72.0.1/31", "10.72.0.3/31"),
    ),
    Fault(
        "swapped subnets",
        Code.LAW_SWAPPED,
        "rails",
        "sonic",
        swap(L1, "config_db.json", "10.72.0.1/31", "10.72.0.3/31"),
    ),
    Fault(
        "swapped subnets",
        Code.LAW_SWAPPED,
        "rails",
        "linux",
        swap(L1, LINUX, "10.72.0.1/31", "10.72.0.3/31"),
    ),
    Fault("no lossless group", Code.LAW_MEMORY, "rails", "sonic", _no_group),
    Fault(
        "marks too late",
        Code.LAW_MEMORY,
        "rails",
        "sonic",
        put(BE, "WRED_PROFILE", "AZURE_LOSSLESS", green_min_threshold="936880"),
    ),
    Fault(
        "marks too late",
        Code.LAW_MEMORY,
        "rails",
        "eos",
        sub(BE, EOS, _ECN, r"\1 953665 \2 412400", 0),
    ),
    Fault(
        "PFC at one end",
        Code.JUDGED_QUEUES,
        "rails",
        "eos",
        sub(BE, EOS, "priority 3 no-drop", "priority 4 no-drop", 0),
    ),
    Fault(
        "no bfdd",
        Code.LAW_DAEMON,
        "rails",
        "linux",
        sub(L1, "etc/frr/daemons", "bfdd=yes", "bfdd=no"),
    ),
    Fault(
        "no bfdd",
        Code.LAW_DAEMON,
        "rails",
        "sonic",
        put(L1, "DEVICE_METADATA", "localhost", frr_mgmt_framework_config="false"),
    ),
    Fault(
        "another hwsku",
        Code.LAW_SKU,
        "rails",
        "sonic",
        put(BE, "DEVICE_METADATA", "localhost", hwsku="ACS-SN5600"),
    ),
    Fault(
        "another lane",
        Code.LAW_SKU,
        "rails",
        "sonic",
        put(L1, "PORT", "Ethernet112", lanes="213,214,215,216"),
    ),
    Fault(
        "one router ID",
        Code.JUDGED_ROUTER_ID,
        "rails",
        "eos",
        sub(L1, EOS, "router-id 10.64.0.1", "router-id 10.64.0.2", 0),
    ),
    Fault(
        "one router ID",
        Code.JUDGED_ROUTER_ID,
        "rails",
        "linux",
        sub(L1, FRR, "router-id 10.64.0.1", "router-id 10.64.0.2", 0),
    ),
    Fault(
        "one tunnel end",
        Code.JUDGED_TUNNEL,
        "rails",
        "eos",
        sub(L1, EOS, "address 10.65.0.1/32", "address 10.65.0.2/32"),
    ),
    Fault(
        "one tunnel end",
        Code.JUDGED_TUNNEL,
        "rails",
        "sonic",
        put(L1, "VXLAN_TUNNEL", "vtep", src_ip="10.65.0.2"),
    ),
    Fault(
        "another VNI",
        Code.JUDGED_VNI,
        "rails",
        "eos",
        sub(L1, EOS, "vlan 20 vni 10020", "vlan 20 vni 10021"),
    ),
    Fault(
        "another VNI",
        Code.JUDGED_VNI,
        "rails",
        "sonic",
        put(L1, "VXLAN_TUNNEL_MAP", "vtep|map_10020_Vlan20", vni="10021"),
    ),
    Fault(
        "another target",
        Code.JUDGED_TARGET,
        "rails",
        "eos",
        sub(L1, EOS, "target both \\d+:10020$", "target both 7:7"),
    ),
    Fault(
        "another target",
        Code.JUDGED_TARGET,
        "rails",
        "linux",
        sub(L1, FRR, "target (import|export) \\d+:10020$", r"target \1 7:7", 2),
    ),
)


def faulty(folder: Path, *, code: Code) -> str:
    """Return what `audit` says of the first fault of a code."""
    fault = next(each for each in FAULTS if each.code is code)
    written(folder / "configs", fault)
    heard = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(heard):
        run(["audit", "configs"])
    return heard.getvalue()


def written(folder: Path, fault: Fault) -> None:
    """Write the files with a fault, in a folder for each switch."""
    for switch, own in fault.planted().items():
        for path, text in own.items():
            place = folder / switch / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
