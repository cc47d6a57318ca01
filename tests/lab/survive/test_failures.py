"""Twenty failures of a booted site: what the lab shows is what `fabricgen failures` said.

The running switches say which sessions stand, servers which ports have light, packets who reaches
whom. What that is worth in bandwidth the second judge of tests/unit reckons. It takes some minutes,
so only `make reliability` runs it.
"""

import json
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from tests.lab.machinery import Ground, need_a_lab, new_ground
from tests.longer import longer
from tests.unit.survive.naive import Naive

from fabricgen.compile.compiler import compile_site
from fabricgen.compile.design.slices import Slicer
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.failures import Fails
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Link, Server, Switch
from fabricgen.nos.lowering import spell
from fabricgen.operate.lab.client import LabFailure
from fabricgen.operate.lab.layout import lay_out
from fabricgen.operate.lab.traffic.bench import Bench
from fabricgen.prove.failures.failures import Failure, singles
from fabricgen.prove.failures.survey import Survey

pytestmark = longer
NAME, PATIENCE = "survive", 300
SITE = """
site:
  name: oslo
  management: {subnet: 10.255.0.0/24}
servers:
  db:
    count: 2
    ports:
      front: {fabric: frontend, group: a, ports: 2, leafs: 2, bond: lacp, speed: 100G, per_leaf: 4}
  old:
    count: 1
    ports: {front: {fabric: frontend, group: a, speed: 100G, per_leaf: 1, first: 9}}
  web:
    count: 3
    ports: {front: {fabric: frontend, group: b, speed: 100G, per_leaf: 4}}
frontend:
  leaf: {model: 7050CX3-32S, platform: linux}
  spine: {model: 7050CX3-32S, platform: linux, count: 2}
  oversubscription: 8
  leaf_groups: {a: {leafs: 1-2}, b: {leafs: 3-3}}
tenants:
  shop:
    vrfs: {shop: {id: 1, vlans: {pages: {id: 100, subnet: 172.20.0.0/24}}}}
    attachments:
      - {servers: db, access: pages, addresses: static, first_host: 10}
      - {servers: old, access: pages, addresses: static, first_host: 20}
      - {servers: web, access: pages, addresses: static, first_host: 30}
"""


@dataclass(frozen=True, slots=True)
class Booted:
    """The running site and its survey."""

    ground: Ground
    bench: Bench
    survey: Survey

    @property
    def fabric(self) -> Fabric:
        """The one fabric."""
        return self.survey.fabric


@pytest.fixture(scope="module")
def booted() -> Iterator[Booted]:
    """Boot the site."""
    need_a_lab()
    for ground in new_ground():
        folder = ground.folder / "site"
        folder.mkdir()
        (folder / "site.yaml").write_text(SITE)
        made = compile_site(load_texts({"site.yaml": SITE})).site
        assert made is not None
        up = ground.call(
            "lab", "up", str(folder), "--name", NAME, "--health-timeout", str(PATIENCE)
        )
        assert up.returncode == 0, up.stdout + up.stderr
        plan = lay_out(made, name=NAME, lifted=None, files=())
        yield Booted(ground, Bench(ground.client(NAME), made, plan), Survey(made.fabrics[0]))
        assert ground.call("lab", "down").returncode == 0


def place(switch: Switch, link: Link) -> str:
    """Name a switch's end of a link as the lab does."""
    port = link.upper_port if switch is link.upper else link.lower_port
    return f"{switch.name}:{spell(switch, port)}"


def cut_off(fabric: Fabric, leaf: str) -> Failure:
    """Return the failure of all uplinks of a leaf."""
    links = tuple(link for link in fabric.topology.links if link.lower.name == leaf)
    return Failure(kind=Fails.DOUBLE, name=f"the uplinks of {leaf}", links=links)


def twenty(fabric: Fabric) -> list[Failure]:
    """Return every single failure, which are nineteen, and one that cuts a leaf off."""
    return [*singles(fabric), cut_off(fabric, "fe-leaf03")]


def broken(failure: Failure) -> list[str]:
    """Return what `lab fail` is told."""
    return [*(place(link.upper, link) for link in failure.links), *failure.switches]


class Shown(Naive):
    """The second judge, told by the running lab which links work and who hears whom."""

    def __init__(self, booted: Booted, links: Iterable[Link], *, up: set[int]) -> None:
        topology = booted.fabric.topology
        down = {id(link) for link in topology.links} - up
        super().__init__(topology, links, (), joined=True, dead=set(), cut=down)
        self.heard = heard(booted)

    def keeps(self, end: str) -> bool:
        """Tell by packets: an endpoint has a port, and hears more than half of the living."""
        server = end.split("/", maxsplit=1)[0]
        living = {other.split("/", maxsplit=1)[0] for other in self.alive}
        return server in living and 2 * (1 + len(self.heard[server] & living)) > len(living)


def heard(booted: Booted) -> dict[str, set[str]]:
    """Return whom each server exchanges packets with, both ways."""
    bench = booted.bench
    pairs = [pair for pair in bench.pairs if pair.routers is not None]
    places = [(pair.source, pair.target) for pair in pairs]
    got = bench.probe("matrix", pairs=places, rounds=4, wait=1, size=100, dscp=0)
    ways = {
        (bench.endpoint(pair.source).host, bench.endpoint(pair.target).host)
        for number, pair in enumerate(pairs)
        if got.get(str(number)) is not None
    }
    both: dict[str, set[str]] = defaultdict(set)
    for one, other in ways:
        if (other, one) in ways:
            both[one].add(other)
    return both


def working(booted: Booted) -> set[int]:
    """Return the links that work: their session is established, or the server's port has light."""
    up = set()
    established = {
        switch.name: sessions(booted, switch.name)
        for switch in booted.fabric.topology.switches
        if switch.is_leaf
    }
    slicer = Slicer(booted.fabric)
    remote = {
        (switch.name, session.interface.port.label): session.remote.host
        for switch in booted.fabric.topology.switches
        for session in slicer.slice(switch).sessions
        if session.interface is not None and session.remote is not None
    }
    for link in booted.fabric.topology.links:
        if isinstance(link.lower, Server):
            if light(booted, link.lower.name, link.lower_port.label):
                up.add(id(link))
        elif remote[link.lower.name, link.lower_port.label] in established[link.lower.name]:
            up.add(id(link))
    return up


def sessions(booted: Booted, leaf: str) -> set[str]:
    """Return the peers of a leaf whose sessions stand; none of one that is off."""
    ask = ("vtysh", "-c", "show bgp ipv4 unicast summary json")
    try:
        done = booted.bench.client.execute(leaf, ask)
    except LabFailure:
        return set()
    if done.status:
        return set()
    told: dict[str, Any] = json.loads(done.stdout)
    peers = told.get("peers", told.get("ipv4Unicast", {}).get("peers", {}))
    return {peer for peer, each in peers.items() if each["state"] == "Established"}


def light(booted: Booted, host: str, port: str) -> bool:
    """Tell whether a server's port has a carrier."""
    done = booted.bench.client.execute(host, ("ip", "link", "show", port))
    return done.status == 0 and "LOWER_UP" in done.stdout


def shown(booted: Booted) -> list[tuple[str, object]]:
    """Return what each group keeps by what the lab shows."""
    up = working(booted)
    return [
        (one.group.label, Shown(booted, one.group.links, up=up).outcome())
        for one in booted.survey.groups
    ]


def told(booted: Booted, failure: Failure) -> list[tuple[str, object]]:
    """Return what `fabricgen failures` says of it."""
    outcomes = [(one.group, one.outcome(failure)) for one in booted.survey.groups]
    return [
        (group.label, (each.keeps, each.each, len(each.lost), each.hit))
        for group, each in outcomes
        if each is not None
    ]


def show(booted: Booted, failure: Failure, enough: Callable[[], bool]) -> None:
    """Let it fail, look until the lab shows enough of it, mend it, and wait until all is whole."""
    client = booted.bench.client
    for name in broken(failure):
        client.call("fail", name=name, silent=False)
    wait_for(booted, lambda: len(working(booted)) < len(booted.fabric.topology.links), failure.name)
    wait_for(booted, enough, failure.name)
    for name in broken(failure):
        client.call("restore", name=name)
    whole = {(1, 1, 0, 0)}
    wait_for(booted, lambda: {each for _, each in shown(booted)} == whole, f"{failure.name} healed")


def agrees(booted: Booted, wanted: list[tuple[str, object]]) -> bool:
    """Tell whether the lab shows it, twice in a row."""
    return shown(booted) == wanted == shown(booted)


def wait_for(booted: Booted, enough: Callable[[], bool], what: str) -> None:
    """Look until it is so."""
    end = time.monotonic() + PATIENCE
    while not enough():
        assert time.monotonic() < end, f"{what}: the lab shows {shown(booted)}"


def test_twenty_failures_show_what_was_said(booted: Booted) -> None:
    failures = twenty(booted.fabric)
    assert len(failures) == 20
    assert {each for _, each in shown(booted)} == {(1, 1, 0)}
    for failure in failures:
        show(booted, failure, partial(agrees, booted, told(booted, failure)))


def test_a_leaf_without_uplinks_keeps_what_is_hashed_to_it(booted: Booted) -> None:
    """A bond over two leafs loses a part of its flows; which one is the hash's affair."""
    failure = cut_off(booted.fabric, "fe-leaf01")
    outcome = booted.survey.groups[0].outcome(failure)
    assert outcome is not None
    assert set(outcome.lost) == {"db0001", "db0002", "old0001"}
    living = {server.name for server in booted.fabric.topology.servers}

    def parted() -> bool:
        both = heard(booted)
        deaf = {name for name in living if both[name] != living - {name}}
        less = {name for name in living if 2 * (1 + len(both[name])) <= len(living)}
        return "old0001" in less <= set(outcome.lost) and bool(deaf & {"db0001", "db0002"})

    show(booted, failure, parted)
