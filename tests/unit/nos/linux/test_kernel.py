"""The questions about routes and flood lists, asked of a real kernel in a network namespace."""

import shutil
import subprocess
from functools import cache

import pytest
from tests.conftest import NOT_RUN

from fabricgen.core.tree.facts import Facts
from fabricgen.nos.linux.show.reader import LINUX
from fabricgen.nos.questions import path_key
from fabricgen.nos.shared.documents import answers
from fabricgen.nos.shared.frr.traffic import floods
from fabricgen.nos.show import Observed

VTEP, ELSEWHERE, MISSING = "10.65.0.3", "10.9.9.9", "nored"
ASKED: Facts = {
    path_key("default", VTEP): {},
    path_key("default", ELSEWHERE): {},
    path_key(MISSING, VTEP): {},
}
_SPACE = ("unshare", "-n", "sh", "-c")
_BEFORE = """
for n in 1 2; do ip link add swp$n type veth peer name far$n; ip link set swp$n up; done
ip link set far1 up; ip link set far2 up; ip link set lo up
ip address add 10.72.0.0/31 dev swp1; ip address add 10.72.0.2/31 dev swp2
ip address add 10.65.0.2/32 dev lo
ip link add vni10010 type vxlan id 10010 local 10.65.0.2 dstport 4789 nolearning
bridge fdb append 00:00:00:00:00:00 dev vni10010 dst 10.65.0.3
hop="nexthop via 10.72.0.1 dev swp1 nexthop via 10.72.0.3 dev swp2"
ip route add 10.65.0.3/32 proto bgp metric 20 $hop
"""


@cache
def why_not() -> str:
    """Return why no namespace with these devices can be made here; empty when one can."""
    if shutil.which("unshare") is None or shutil.which("bridge") is None:
        return "unshare or iproute2 is not installed"
    done = subprocess.run(
        [*_SPACE, f"set -e\n{_BEFORE}"], capture_output=True, text=True, check=False
    )
    return done.stderr.strip() if done.returncode else ""


def asked(change: str = "") -> tuple[Observed, str]:
    """Return the state of a namespace after a change, and the whole output."""
    if reason := why_not():
        pytest.skip(f"{NOT_RUN}: {reason}")
    done = subprocess.run(
        [*_SPACE, f"{_BEFORE}\n{change}\n{LINUX.request(ASKED)}"],
        capture_output=True,
        text=True,
        check=False,
    )
    return LINUX.read(done.stdout), done.stdout


def test_ecmp_paths_and_missing_routes_are_answers() -> None:
    seen, _ = asked()
    assert seen.facts[path_key("default", VTEP)] == {
        "prefix": f"{VTEP}/32",
        "ports": ("swp1", "swp2"),
        "via": ("10.72.0.1", "10.72.0.3"),
    }
    assert seen.facts[path_key("default", ELSEWHERE)]["effect"] == "no route"
    assert "Invalid VRF" in seen.unknown["path", "ports", MISSING, VTEP]


@pytest.mark.parametrize(
    ("change", "ports", "effect"),
    [
        ("ip route add 10.65.0.3/32 via 10.72.0.3 dev swp2", ("swp2",), None),
        ("ip route add blackhole 10.65.0.3/32 metric 1", (), "blackhole"),
        ("ip route add prohibit 10.65.0.3/32 metric 1", (), "prohibit"),
        ("ip link set swp2 down", ("swp1",), None),
        ("ip route del 10.65.0.3/32 proto bgp", (), "no route"),
        ("ip route add 10.65.0.0/16 via 10.72.0.1", ("swp1", "swp2"), None),
    ],
)
def test_the_route_that_the_kernel_takes_is_read(
    change: str, ports: tuple[str, ...], effect: str | None
) -> None:
    own = asked(change)[0].facts[path_key("default", VTEP)]
    assert (own["ports"], own.get("effect")) == (ports, effect)


def test_flood_lists_are_those_of_the_kernel() -> None:
    _, output = asked("bridge fdb append 00:00:00:00:00:00 dev vni10010 dst 10.65.0.4")
    assert floods(answers(output)["floods"]) == {"vni10010": frozenset((VTEP, "10.65.0.4"))}
    _, output = asked("bridge fdb del 00:00:00:00:00:00 dev vni10010 dst 10.65.0.3")
    assert floods(answers(output)["floods"]) == {}


def test_the_tunnel_port_and_the_host_name_are_read() -> None:
    seen, _ = asked()
    assert seen.facts["vtep",] == {"port": "4789"}
    assert seen.facts["identity",]["hostname"]
    assert seen.measures["uptime",] > 0
    assert seen.clock is not None
