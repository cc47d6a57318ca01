"""One rule between zones beside its spellings; a line that moves or widens is found by reading."""

import json
import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from tests.nos.eos import sites as eos
from tests.nos.linux import switches as linux
from tests.nos.sonic import switches as sonic

from fabricgen.compile.compiler import compile_site, files_of, slices
from fabricgen.compile.render import Renderer
from fabricgen.core.diagnostics import Severity
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.zones import Packet
from fabricgen.nos.linux.driver.onswitch import services
from fabricgen.nos.shared.onswitch import disk
from fabricgen.nos.sonic.driver.onswitch.tables import ours, owned, target
from fabricgen.prove.written import prove

NFT = shutil.which("nft", path="/usr/sbin:/usr/bin:/sbin:/bin")
FILE = "etc/fabricgen/zones.nft"
SONIC = "frontend-zones-7060dx5"
SPELLINGS = {
    "web may reach db on tcp/8000-8100": (
        "permit tcp 10.110.0.0/24 10.111.0.0/24 range 8000 8100",
        "ip saddr 10.110.0.0/24 ip daddr 10.111.0.0/24 tcp dport 8000-8100 accept",
        {"SRC_IP": "10.110.0.0/24", "DST_IP": "10.111.0.0/24", "L4_DST_PORT_RANGE": "8000-8100"},
    ),
    "answers of db to web, tcp/8000-8100": (
        "permit tcp 10.111.0.0/24 range 8000 8100 10.110.0.0/24 established",
        (
            "ip saddr 10.111.0.0/24 ip daddr 10.110.0.0/24 tcp sport 8000-8100 "
            "tcp flags & (ack | rst) != 0x0 accept"
        ),
        {"SRC_IP": "10.111.0.0/24", "L4_SRC_PORT_RANGE": "8000-8100", "TCP_FLAGS": "0x10/0x10"},
    ),
    "answers of db to web, icmp": (
        "permit icmp 10.111.0.0/24 10.110.0.0/24 echo-reply",
        "ip saddr 10.111.0.0/24 ip daddr 10.110.0.0/24 icmp type echo-reply accept",
        {"SRC_IP": "10.111.0.0/24", "IP_PROTOCOL": "1", "ICMP_TYPE": "0"},
    ),
    "web may reach db on udp/53, IPv6": (
        "permit udp 2001:db8:112::/64 2001:db8:200::/48 eq 53",
        "ip6 saddr 2001:db8:112::/64 ip6 daddr 2001:db8:200::/48 udp dport 53 accept",
        {"SRC_IPV6": "2001:db8:112::/64", "IP_PROTOCOL": "17", "L4_DST_PORT": "53"},
    ),
    "outside may reach web on tcp/443": (
        "permit tcp any 10.110.0.0/24 eq 443",
        "ip daddr 10.110.0.0/24 tcp dport 443 accept",
        {"DST_IP": "10.110.0.0/24", "IP_PROTOCOL": "6", "L4_DST_PORT": "443"},
    ),
    "nothing else from a partner": (
        "deny ip 198.51.100.0/24 any",
        "ip saddr 198.51.100.0/24 drop",
        {"SRC_IP": "198.51.100.0/24", "PACKET_ACTION": "DROP"},
    ),
}


@pytest.mark.parametrize("thing", SPELLINGS)
def test_a_rule_beside_its_spellings(thing: str) -> None:
    on_eos, on_linux, on_sonic = SPELLINGS[thing]
    switches = eos.switches(eos.SITES["zones"])
    lines = {line.strip().partition(" ")[2] for made in switches for line in _lines(made.text)}
    assert on_eos in lines
    ruled = [line.strip() for it in linux.rendered("zones") for line in _lines(it.files.get(FILE))]
    assert on_linux in ruled
    rows = [row for it in sonic.rendered(SONIC) for row in it.db.get("ACL_RULE", {}).values()]
    assert any(row.items() >= on_sonic.items() for row in rows)


def _lines(text: str | None) -> list[str]:
    return (text or "").splitlines()


def test_sonic_ends_each_table_in_a_drop_and_counts_priorities_down() -> None:
    for item in sonic.rendered(SONIC):
        tables: dict[str, list[tuple[int, str]]] = {}
        for key, row in item.db.get("ACL_RULE", {}).items():
            at = (int(row["PRIORITY"]), row["PACKET_ACTION"])
            tables.setdefault(key.partition("|")[0], []).append(at)
        for rows in tables.values():
            assert rows == sorted(rows, reverse=True)
            assert rows[-1][1] == "DROP"
        every = item.db.get("ACL_TABLE", {}).values()
        bound = [(row["type"], port) for row in every for port in row["ports"]]
        assert len(bound) == len({*bound})


def test_sonic_leaves_tables_of_others_alone() -> None:
    mine = {"ACL_TABLE": {"ZONE-1": {"type": "ZONES"}}}
    there = {"ACL_TABLE": {"EVERFLOW": {"type": "MIRROR"}, "ZONE-2": {"type": "ZONES"}}}
    assert target(owned(there), mine)["ACL_TABLE"] == {
        "EVERFLOW": {"type": "MIRROR"},
        "ZONE-1": {"type": "ZONES"},
    }
    assert ours(owned(there)) == {"ACL_TABLE": {"ZONE-2": {"type": "ZONES"}}}


@pytest.mark.skipif(NFT is None, reason="no nft here (package nftables)")
def test_nft_takes_every_file(tmp_path: Path) -> None:
    files = [it.files[FILE] for it in linux.rendered("zones") if FILE in it.files]
    assert files
    for text in files:
        (tmp_path / "zones.nft").write_text(text)
        words = ("unshare", "-rn", str(NFT), "-c", "-f", str(tmp_path / "zones.nft"))
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


def _swapped(text: str, first: str, second: str) -> str:
    assert first in text
    assert second in text
    return text.replace(first, "\0").replace(second, first).replace("\0", second)


def _replaced(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


_DROP, _OPEN = "        ip saddr 198.51.100.0/24 drop\n", "tcp dport 443 accept\n"
FAULTS: dict[str, tuple[str, str, Callable[[str], str]]] = {
    "eos: a wider port": ("eos", "eos.cfg", partial(_replaced, old="eq 443", new="range 443 450")),
    "eos: a list on no interface": (
        "eos",
        "eos.cfg",
        partial(_replaced, old="   ip access-group ZONE-red_isp in\n", new=""),
    ),
    "linux: two rules change places": (
        "linux",
        FILE,
        partial(
            _swapped,
            first=_DROP,
            second="        ip daddr 10.110.0.0/24 tcp dport 443 accept\n",
        ),
    ),
    "linux: a chain without its end": (
        "linux",
        FILE,
        partial(_replaced, old="        drop\n    }\n", new="    }\n"),
    ),
    "linux: a policy that nobody reads": (
        "linux",
        FILE,
        partial(_replaced, old="        drop\n", new="        accept\n"),
    ),
    "sonic: another order": (
        "sonic",
        "config_db.json",
        partial(_swapped, first='"9890"', second='"9889"'),
    ),
    "sonic: a port that asks no table": (
        "sonic",
        "config_db.json",
        lambda text: json.dumps(_unbound(json.loads(text)), indent=4),
    ),
}


def _unbound(tables: sonic.Db) -> sonic.Db:
    name = next(iter(tables["ACL_TABLE"]))
    tables["ACL_TABLE"][name]["ports"] = tables["ACL_TABLE"][name]["ports"][:-1]
    return tables


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_a_file_is_found(fault: str) -> None:
    platform, path, broken = FAULTS[fault]
    if platform == "eos":
        made = eos.site(eos.SITES["zones"])["fe-leaf04"]
        switch_slice, files = made.switch_slice, {"eos.cfg": made.text}
    elif platform == "linux":
        item = next(
            it for it in linux.rendered("zones") if it.switch_slice.switch.name == "fe-leaf04"
        )
        switch_slice, files = item.switch_slice, dict(item.files)
    else:
        leaf = next(
            it for it in sonic.rendered(SONIC) if it.switch_slice.switch.name == "fe-leaf03"
        )
        switch_slice, files = leaf.switch_slice, {"config_db.json": leaf.text, "frr.conf": leaf.frr}
    assert prove(switch_slice, files).findings == ()
    files[path] = broken(files[path])
    assert prove(switch_slice, files).findings


def test_rules_leave_the_kernel_with_their_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ran: list[tuple[str, ...]] = []

    class Done:
        status, reason = 0, ""

    def run(words: tuple[str, ...], *_: object) -> type[Done]:
        ran.append(tuple(words))
        return Done

    monkeypatch.setattr(disk, "ROOT", tmp_path)
    monkeypatch.setattr(services, "run", run)
    (tmp_path / "etc/systemd/system").mkdir(parents=True)
    (tmp_path / services.UNIT).write_text("[Service]\n")
    assert services.unit(["etc/fabricgen/tc.batch"]) == ([], [])
    assert ran == []
    assert services.unit([FILE]) == ([], [])
    assert ran == [("/usr/sbin/nft", "delete", "table", "inet", "zones")]


OUTSIDE = """site:
  name: lab
  management: {subnet: 10.255.0.0/22, ntp: [10.255.3.250, 10.255.3.251]}
frontend:
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
  leaf_groups: {racks: {leafs: 1-2, servers: {per_leaf: 4, speed: 100G}}}
  edge: {wan: {leaf: 1, cages: 25-26}}
tenants:
  red:
    vrfs:
      red:
        id: 1
        vlans: {web: {id: 110, subnet: 10.1.0.0/24, subnet6: "2001:db8:1::/64"}}
        external: {isp: {PLACE, asn: 64496}}
    attachments: [{group: racks, access: web}]
zones: {web: {vlans: [red/web]}, isp: {outside: [red/red/isp]}}
flows: [{clients: [web], servers: [isp], services: [tcp]}]
"""
FOUR, SIX = (
    "address: 192.0.2.1/31, peer: 192.0.2.0",
    'address6: "2001:db8:9::1/127", peer6: "2001:db8:9::"',
)
OWN, SHARED = "leaf: 1, cage: 24", "link: wan, vlan: 101"
WAYS = {
    "IPv6 alone": (f"{OWN}, {SIX}", "Ethernet24/1", "Ethernet92", "swp24"),
    "both families": (f"{OWN}, {FOUR}, {SIX}", "Ethernet24/1", "Ethernet92", "swp24"),
    "a tag of a bundle": (f"{SHARED}, {FOUR}, {SIX}", "Port-Channel1025.101", "", "bond1025.101"),
}


def outside(way: str, platform: str) -> tuple[SwitchSlice, dict[str, str], list[str]]:
    """Return the leaf with the router outside, its files by path, and what is refused."""
    loaded = load_texts({"site.yaml": OUTSIDE.replace("PLACE", WAYS[way][0])})
    made = compile_site(loaded, platform)
    assert made.site is not None
    switch_slice = next(each for _, each in slices(made.site) if each.external)
    errors = [each.message for each in made.findings if each.severity is Severity.ERROR]
    texts = (
        {}
        if errors
        else {
            each.path.partition("/fe-leaf01/")[2]: each.text
            for each in files_of(switch_slice, Renderer())
        }
    )
    return switch_slice, texts, errors


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("platform", ["eos", "sonic", "linux"])
def test_what_comes_from_outside_meets_the_lists_of_its_families(way: str, platform: str) -> None:
    said, on_eos, on_sonic, on_linux = WAYS[way]
    switch_slice, texts, errors = outside(way, platform)
    families = [version for version, ends in ((4, FOUR), (6, SIX)) if ends in said]
    lists = ["ZONE-red_isp" if version == 4 else "ZONE6-red_isp_6" for version in families]
    if platform == "sonic" and not on_sonic:
        assert [each.partition(":")[0] for each in errors] == [
            "SONiC binds access lists to ports and LAGs, never to a sub-interface"
        ]
        return
    assert errors == []
    if platform == "eos":
        port = texts["eos.cfg"].partition(f"interface {on_eos}\n")[2].partition("!\n")[0]
        lines = [line.strip() for line in port.split("\n") if "access-group" in line]
        words = {4: "ip", 6: "ipv6"}
        assert lines == [
            f"{words[version]} access-group {each} in"
            for version, each in zip(families, lists, strict=True)
        ]
    elif platform == "sonic":
        tables = json.loads(texts["config_db.json"])["ACL_TABLE"]
        assert {name for name, row in tables.items() if row["ports"] == [on_sonic]} == {*lists}
    else:
        ways = [line.strip() for line in texts[FILE].split("\n") if f'"{on_linux}"' in line]
        assert ways == [
            f'iifname "{on_linux}" meta nfproto ipv{version} goto {each}'
            for version, each in zip(families, lists, strict=True)
        ]
    assert prove(switch_slice, texts).findings == ()


def test_a_router_over_ipv6_finds_its_neighbors() -> None:
    switch_slice, _, _ = outside("IPv6 alone", "eos")
    guard = next(each for each in switch_slice.guards if each.peer)
    (peer,) = switch_slice.external
    asked = Packet(
        source=peer.remote, target=Ip(0xFF02 << 112, 128, 6), protocol="icmp", message=135
    )
    assert guard.allows(asked)[0]
    assert not guard.allows(asked._replace(message=128))[0]
