"""Probes over real sockets, in a network of their own: two ends of a cable, and a kernel behind."""

import json
import subprocess
from typing import Any

import pytest
from tests.conftest import NOT_RUN

from fabricgen.nos.linux.driver.driver import LinuxDriver
from fabricgen.nos.linux.driver.onswitch import echoes, frames
from fabricgen.nos.shared.agent_script import COMMAND

CABLE = (
    "ip link add name here type veth peer name there && ip link set here up && "
    "ip link set there address 02:00:00:00:00:02 up && ip address add 10.0.0.2/24 dev there && "
)
# At its other end, instead, another switch, in a network of its own, and a tunnel between both.
LEAFS = """
exec 3<&0; own=$(readlink /proc/self/ns/net); unshare --net sleep 60 &
while [ "$(readlink /proc/$!/ns/net)" = "$own" ]; do :; done
ip link set there netns $!
vtep() {{
  $1 ip address add 172.16.0.$2/24 dev $3; $1 ip link set $3 up
  $1 ip link add vni7 address $5 type vxlan id 7 local 172.16.0.$2 dstport 4789 nolearning
  $1 bridge fdb append 00:00:00:00:00:00 dev vni7 dst 172.16.0.$4
  $1 ip address add 10.9.0.1/24 dev vni7; $1 ip link set vni7 up
}}
vtep '' 1 here 2 02:00:00:00:00:01
vtep "nsenter --target $! --net" 2 there 1 00:1c:73:00:00:99
{command} <&3; kill $!
"""
NETWORK = ("unshare", "--user", "--map-root-user", "--net", "sh", "-c")
SERVER = {
    "way": "server",
    "device": "here",
    "source": "10.0.0.1",
    "own": "02:00:00:00:00:01",
    "mac": "02:00:00:00:00:02",
    "far": "10.0.0.2",
}

VLAN = {
    "way": "vlan",
    "tunnel": "vni7",
    "vni": 7,
    "source": "172.16.0.1",
    "far": "172.16.0.2",
    "address": "10.9.0.1",
    "mac": "00:1c:73:00:00:99",
}


def said(shell: str, *ends: dict[str, Any]) -> str:
    """Return what a shell says in a network with a cable, which is given a program that probes."""
    try:
        subprocess.run([*NETWORK, "true"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip(f"{NOT_RUN}: this machine gives nobody a network of their own")
    program = LinuxDriver.AGENT.program({"do": "probe", "asked": ends})
    words = [*NETWORK, CABLE + shell]
    done = subprocess.run(words, input=program, capture_output=True, text=True, check=True)
    return done.stdout


def test_who_is_there_answers_and_who_is_not_does_not() -> None:
    away, gone = SERVER | {"far": "10.0.0.3"}, SERVER | {"device": "nowhere"}
    answers = json.loads(said(COMMAND, away, SERVER, gone, {"way": "guess"}))
    assert answers == {"ok": [False, True, False, False]}


def test_the_other_end_of_a_vlan_answers_through_the_tunnel_and_nobody_else() -> None:
    """Two whose flows have one port, as the last and the first here, are both asked."""
    others = ({"vni": 8}, {"far": "172.16.0.3"}, {"source": "172.16.0.9"}, {"address": "10.9.0.2"})
    shell = LEAFS.format(command=COMMAND)
    answers = json.loads(said(shell, VLAN, *(VLAN | other for other in others), VLAN))
    assert answers == {"ok": [True, False, False, False, False, True]}


def test_a_probe_that_is_killed_leaves_nothing() -> None:
    left = "{ ip -o -4 address; ip route; ip neigh; wc -l < /proc/net/packet; } | cksum"
    probing = f"{COMMAND} <&3 >/dev/null & until grep -q ' 0003 ' /proc/net/packet; do :; done"
    shell = f"{left}; exec 3<&0; {probing}; {left}; kill -9 $!; wait $! || {left}"
    before, during, after = said(shell, SERVER | {"far": "10.0.0.3"}).splitlines()
    assert before == after
    assert during != before


def test_a_frame_that_is_no_answer_is_none() -> None:
    question = frames.request("02:00:00:00:00:02", "02:00:00:00:00:01", "10.0.0.1", "10.0.0.2")
    answer = question[:20] + b"\0\2" + question[22:]
    assert frames.reply(question) is None
    assert frames.reply(answer[:41]) is None
    assert frames.reply(b"") is None
    told = frames.Reply("02:00:00:00:00:02", "02:00:00:00:00:01", "10.0.0.1")
    assert frames.reply(answer) == told
    assert frames.tunneled(10010, b"x") == bytes.fromhex("0800000000271a00") + b"x"


ECHO = {"way": "echo", "vrf": "here", "source": "10.0.0.1", "far": "172.16.0.2"}
# A server behind the cable, in a network of its own, that drops IPv4 or not; ARP passes.
HOST = """
exec 3<&0; own=$(readlink /proc/self/ns/net); unshare --net sleep 60 &
while [ "$(readlink /proc/$!/ns/net)" = "$own" ]; do :; done
ip link set there netns $!; far="nsenter --target $! --net"
ip address add 10.0.0.1/24 dev here; ip route add 172.16.0.2 via 10.0.0.2
$far ip address add 10.0.0.2/24 dev there; $far ip link set there up
$far ip link set lo up; $far ip address add 172.16.0.2/32 dev lo
{plant}
{command} <&3; kill $!
"""


def pinged(plant: str, *asked: dict[str, str]) -> list[bool]:
    found: list[bool] = json.loads(said(HOST.format(command=COMMAND, plant=plant), *asked))["ok"]
    return found


def test_a_server_is_pinged_from_an_address_through_a_device() -> None:
    """The device of a VRF routes by its table; that of the cable here goes by the main one."""
    others = ({"far": "172.16.0.3"}, {"source": "10.0.0.9"}, {"vrf": "nowhere"})
    answers = pinged("", ECHO, *(ECHO | other for other in others), ECHO)
    assert answers == [True, False, False, False, True]


def test_a_server_that_answers_arp_alone_is_silent() -> None:
    deaf = "$far sh -c 'echo 1 > /proc/sys/net/ipv4/icmp_echo_ignore_all'"
    assert pinged(deaf, ECHO) == [False]


def test_the_checksum_is_that_of_rfc_1071() -> None:
    data = bytes.fromhex("0001f203f4f5f6f7")  # its example, section 3
    assert echoes.checksum(data) == 0xFFFF ^ 0xDDF2
    packet = echoes.checksum(data).to_bytes(2, "big") + data
    assert echoes.checksum(packet) == 0
