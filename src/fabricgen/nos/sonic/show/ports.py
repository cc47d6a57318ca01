"""Read identity, ports, port-channels, VLANs and addresses from tables of Redis and from `ip`."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from ipaddress import ip_interface
from typing import Any

from fabricgen.core.tree.facts import TRUE, Attributes, Facts
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.catalog.switches import model_names, switch_model
from fabricgen.nos.questions import UnreadableError
from fabricgen.nos.show import BUNDLED, ENABLED, FORMED, SHUT, UP
from fabricgen.nos.sonic.names import MANAGEMENT_PORT, MANAGEMENT_VRF, vrf_name
from fabricgen.nos.sonic.show.tables import Row, Rows

ZONES = "ZONE"
"""Begin of the names of our tables (NAMED_SO in nos/sonic/driver/onswitch/tables.py)."""
_PREFIX = vrf_name("")
_NONE: Row = {}


def neutral(vrf: str) -> str:
    """Return the design's name of a VRF."""
    return vrf.removeprefix(_PREFIX)


def identity(metadata: Rows, eeprom: Rows, build: Mapping[str, str]) -> Facts:
    """Return the host name, the hwsku, the serial number and the branch of the image."""
    told = next(iter(metadata.values()), _NONE)
    serial = next((row.get("Value") for row in eeprom.values() if _is_serial(row)), None)
    hwsku = told.get("hwsku")
    said = {
        "hostname": told.get("hostname"),
        "model": hwsku and (model_of(hwsku) or f"unknown model with the hwsku {hwsku}"),
        "serial": serial,
        "version": build.get("build_version"),
    }
    facts: Facts = {("identity",): {name: value for name, value in said.items() if value}}
    return {**facts, ("switch",): {"hwsku": hwsku}} if hwsku else facts


@lru_cache(maxsize=1024)
def model_of(hwsku: str) -> str:
    """Return the model of the catalog with a hwsku, empty if there is none."""
    known = (switch_model(name) for name in model_names())
    return next(
        (
            model.name
            for model in known
            if model is not None and any(sku.name == hwsku for sku in model.skus.get("sonic", ()))
        ),
        "",
    )


def _is_serial(row: Row) -> bool:
    return row.get("Name") == "Serial Number"


def ports(asked: Rows, agreed: Rows) -> Facts:
    """Return every front port. A port without link has the speed that was asked for."""
    if not asked:
        raise UnreadableError("APPL_DB has no port")
    return {("interface", name): _port(row, agreed.get(name, _NONE)) for name, row in asked.items()}


def _port(row: Row, agreed: Row) -> Attributes:
    own: Attributes = {"link": link(row)}
    up = own["link"] == UP
    speed = (agreed.get("speed") if up else None) or row.get("speed")
    if speed is not None and speed.isdecimal():
        own["speed"] = str(BitsPerSecond(int(speed) * 10**6))
    own |= {"mtu": row["mtu"]} if "mtu" in row else {}
    return {**own, "fec": agreed["fec"]} if up and "fec" in agreed else own


def link(row: Row) -> str:
    """Return the state of a link by its two fields."""
    if row.get("admin_status") != "up":
        return SHUT
    return UP if row.get("oper_status") == "up" else ENABLED


def unagreed(facts: Facts) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield ports whose agreed FEC is not known."""
    for (kind, name), own in ((key, own) for key, own in facts.items() if len(key) == 2):
        if kind == "interface" and name.startswith("Ethernet") and "fec" not in own:
            down = own.get("link") != UP
            why = "the port has no link" if down else "STATE_DB has no FEC of the port"
            yield ("interface", "fec", name), why


def bundles(lags: Rows, members: Rows, lacp: Rows) -> Facts:
    """Return port-channels and their members, with the state of LACP on each."""
    facts: Facts = {}
    for name, row in lags.items():
        mtu: Attributes = {"mtu": row["mtu"]} if "mtu" in row else {}
        facts["interface", name] = {"link": link(row), **mtu}
    for key in {*members, *(each.replace("|", ":") for each in lacp)}:
        bundle, _, port = key.partition(":")
        state = _bundled(members.get(key), lacp.get(f"{bundle}|{port}"))
        facts["bundle-member", bundle, port] = {"state": state}
        number = bundle.removeprefix("PortChannel")
        facts["interface", port] = {**facts.get(("interface", port), {}), "bundle": number}
    return facts


def _bundled(programmed: Row | None, lacp: Row | None) -> str:
    """Return whether LACP selected a member and the ASIC uses it, or the reason why not."""
    if lacp is not None and lacp.get("runner.selected", "").lower() != "true":
        state = lacp.get("runner.state", "unknown")
        return f"not selected by LACP, state {state}"
    if programmed is None or programmed.get("status") != "enabled":
        return "not enabled in the ASIC"
    return BUNDLED


def vlans(made: Rows, carried: Rows, mapped: Rows) -> Facts:
    """Return VLANs with their VNI, and the VLANs of each port."""
    facts: Facts = {
        ("vlan", name.removeprefix("Vlan")): {"state": row.get("state", "unknown")}
        for name, row in made.items()
    }
    tagged: dict[str, set[str]] = defaultdict(set)
    for key, row in carried.items():
        vlan, _, port = key.partition(":")
        number = vlan.removeprefix("Vlan")
        tagged[port].add(number)
        if row.get("tagging_mode") == "untagged":
            facts.setdefault(("interface", port), {})["untagged"] = number
    for port, numbers in tagged.items():
        facts.setdefault(("interface", port), {})["vlans"] = tuple(sorted(numbers))
    for number, vni in _tunneled(mapped):
        facts.setdefault(("vlan", number), {})["vni"] = vni
    return facts


def _tunneled(mapped: Rows) -> Iterator[tuple[str, str]]:
    """Yield each VLAN with its VNI. The key is `vtep:map_10010_Vlan10`."""
    for row in mapped.values():
        if "vlan" in row and "vni" in row:
            yield row["vlan"].removeprefix("Vlan"), row["vni"]


def addresses(rows: Rows) -> Facts:
    """Return the addresses and VRFs of all interfaces, without link-local addresses."""
    facts: Facts = {}
    found: dict[str, list[str]] = defaultdict(list)
    for key, row in rows.items():
        name, _, address = key.partition(":")
        if not address:
            vrf = row.get("vrf_name")
            facts[("interface", name)] = {"vrf": neutral(vrf)} if vrf else {}
        elif not (read := ip_interface(address)).is_link_local:
            found[name].append(str(read))
    for name, own in found.items():
        facts.setdefault(("interface", name), {})["address"] = tuple(sorted(own))
    for (_, name), attributes in facts.items():
        if name.startswith("Loopback"):
            attributes["link"] = UP  # intfmgrd makes the device up (cfgmgr/intfmgr.cpp)
    return facts


def vrfs(made: Rows, objects: Rows) -> Facts:
    """Return VRFs of the kernel that orchagent has as well. The management VRF needs no ASIC."""
    return {
        ("vrf", neutral(name)): {"exists": TRUE}
        for name, row in made.items()
        if row.get("state") == "ok" and (name == MANAGEMENT_VRF or name in objects)
    }


def devices(shown: Sequence[Mapping[str, Any]]) -> Facts:
    """Return link and MAC of VLAN interfaces, and link and addresses of the management port."""
    facts: Facts = {}
    for item in shown:
        flags = item.get("flags", ())
        own: Attributes = {
            "link": SHUT if "UP" not in flags else UP if "LOWER_UP" in flags else ENABLED
        }
        if item["ifname"] != MANAGEMENT_PORT and "address" in item:
            own["mac"] = str(item["address"])
        if found := sorted(_local(item.get("addr_info", ()))):
            own["address"] = tuple(found)
        facts["interface", str(item["ifname"])] = own
    return facts


def _local(items: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for each in items:
        if each.get("scope") != "link":
            yield str(ip_interface(f"{each['local']}/{each['prefixlen']}"))


def pairs(states: Rows, domains: Rows) -> Facts:
    """Return whether the two leafs of an MC-LAG pair have a session."""
    formed = {
        name: FORMED if states.get(name, _NONE).get("oper_status") == "up" else "down"
        for name in {*states, *domains}
    }
    if not formed:
        return {}
    state = ", ".join(sorted(set(formed.values())))
    return {("pair",): {"domain": ", ".join(sorted(formed)), "state": state}}


def acls(rules: Rows) -> Facts:
    """Return the state of each rule of the zones. The key is `ZONES-web|RULE_10`.

    People may have other tables on the switch.
    """
    return {
        ("acl", table, rule.removeprefix("RULE_")): {"state": row.get("status", "unknown").lower()}
        for key, row in rules.items()
        for table, _, rule in (key.partition("|"),)
        if table.startswith(ZONES) and rule
    }
