"""Two leafs of real FRR: packets to a group come to the servers that joined it, and to no other.

Their VLAN snoops; another on the same bridge floods. One boot has both, and only `make reliability`
runs it.
"""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.lab.machinery import need_a_lab, new_ground
from tests.longer import longer

from fabricgen.operate.lab.client import LabClient

pytestmark = longer
SITE = """
site: {name: lab, management: {subnet: 10.255.0.0/24}}
frontend:
  design: collapsed
  leaf: {model: 7050CX3-32S, platform: linux}
  leaf_groups: {racks: {leafs: 1-2, servers: {per_leaf: 3, speed: 25G}}}
tenants:
  web:
    vrfs:
      web:
        id: 1
        vlans:
          heard: {id: 110, subnet: 10.110.0.0/24, subnet6: "2001:db8:110::/64", multicast: snooped}
          loud: {id: 111, subnet: 10.111.0.0/24}
    attachments:
      - {group: racks, servers: 1-2, access: heard, addresses: static}
      - {group: racks, servers: "3", access: loud, addresses: static}
"""
GROUP, LOCAL = "239.1.1.1", "224.0.0.99"  # RFC 2365, and 224.0.0.0/24, which RFC 4541 floods
ONE, TWO, THREE = (f"fe-leaf01-s0{n}" for n in (1, 2, 3))
OTHER, FAR, LOUD = (f"fe-leaf02-s0{n}" for n in (1, 2, 3))
COUNT = """import fcntl, socket, struct, sys, time
group, joins, seconds = sys.argv[1], sys.argv[2] == "joins", float(sys.argv[3])
taken = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
taken.settimeout(0.2)
if joins:
    member = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    own = fcntl.ioctl(member, 0x8915, struct.pack("256s", b"eth0"))[20:24]
    member.setsockopt(0, socket.IP_ADD_MEMBERSHIP, socket.inet_aton(group) + own)
end, seen = time.monotonic() + seconds, 0
while time.monotonic() < end:
    try:
        packet, where = taken.recvfrom(2000)
    except TimeoutError:
        continue
    seen += where[0] == "eth0" and where[2] != 4 and b"a packet to a group" in packet
print(seen)
"""
SEND = """import socket, sys, time
group, own = sys.argv[1:]
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sender.setsockopt(0, socket.IP_MULTICAST_IF, socket.inet_aton(own))
sender.setsockopt(0, socket.IP_MULTICAST_TTL, 8)
for _ in range(10):
    sender.sendto(b"a packet to a group", (group, 5007))
    time.sleep(0.1)
"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LabClient]:
    """Boot the two leafs, which ask every 5 s here: a report counts for 12 s, and not for 260."""
    need_a_lab()
    folder: Path = tmp_path_factory.mktemp("groups")
    (folder / "site.yaml").write_text(SITE)
    soon = (
        "mcast_query_interval 500 mcast_query_response_interval 200 mcast_membership_interval 1200"
    )
    for ground in new_ground():
        up = ground.call("lab", "up", str(folder), "--name", "groups")
        assert up.returncode == 0, up.stdout + up.stderr
        client = ground.client("groups")
        for leaf in ("fe-leaf01", "fe-leaf02"):
            command = ("bridge", "vlan", "global", "set", "dev", "br0", "vid", "110", *soon.split())
            assert client.execute(leaf, command).status == 0
        yield client
        assert ground.call("lab", "down").returncode == 0


def taken(lab: LabClient, sender: str, own: str, group: str, joined: set[str]) -> dict[str, int]:
    """Let some servers join, wait longer than a report counts, send ten; who saw how many."""
    wait = 20 if joined else 3

    def count(host: str) -> int:
        joins = "joins" if host in joined else "listens"
        done = lab.execute(host, ("python3", "-", group, joins, str(wait + 4)), COUNT)
        assert done.status == 0, done.stderr
        return int(done.stdout)

    others = [host for host in (ONE, TWO, THREE, OTHER, FAR, LOUD) if host != sender]
    with ThreadPoolExecutor(len(others)) as pool:
        counts = [pool.submit(count, host) for host in others]
        time.sleep(wait)
        sent = lab.execute(sender, ("python3", "-", group, own), SEND)
        assert sent.status == 0, sent.stderr
        every = {host: each.result() for host, each in zip(others, counts, strict=True)}
    return {host: number for host, number in every.items() if number}


def test_members_get_it_on_this_leaf_and_on_the_other(lab: LabClient) -> None:
    assert taken(lab, ONE, "10.110.0.10", GROUP, {TWO, FAR}) == {TWO: 10, FAR: 10}


def test_a_member_gets_what_is_sent_behind_the_other_leaf(lab: LabClient) -> None:
    assert taken(lab, OTHER, "10.110.0.13", GROUP, {TWO}) == {TWO: 10}


def test_nobody_gets_what_nobody_joined(lab: LabClient) -> None:
    assert taken(lab, ONE, "10.110.0.10", GROUP, set()) == {}


def test_groups_of_the_link_itself_are_flooded(lab: LabClient) -> None:
    assert taken(lab, ONE, "10.110.0.10", LOCAL, set()) == {TWO: 10, OTHER: 10, FAR: 10}


def test_a_vlan_beside_it_floods(lab: LabClient) -> None:
    assert taken(lab, THREE, "10.111.0.12", GROUP, set()) == {LOUD: 10}


@pytest.mark.parametrize("target", ["2001:db8:110::e", "2001:db8:110::1", "10.110.0.14"])
def test_neighbors_are_found(lab: LabClient, target: str) -> None:
    done = lab.execute(ONE, ("ping", "-c", "3", "-W", "2", target))
    assert done.status == 0, done.stdout
