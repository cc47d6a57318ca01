"""Pairs of the example site, and running states that are written from its model."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from fabricgen.compile.compiler import Owner, compile_site
from fabricgen.core.tree.facts import GLOBAL, Attributes, Facts, Key
from fabricgen.intent.load import load_site
from fabricgen.nos.registry import reader_of
from fabricgen.nos.show import Observed
from fabricgen.prove.evidence import rendered, walked
from fabricgen.prove.reach.endpoint_parser import named
from fabricgen.prove.reach.live.branches import Ground
from fabricgen.prove.reach.live.evidence import ground_of, live_path
from fabricgen.prove.reach.live.follow import Route, route
from fabricgen.prove.reach.live.steps import LivePath
from fabricgen.prove.reach.matrix import Case, cases
from fabricgen.prove.reach.model import Model
from fabricgen.prove.reach.stations import stands

INTENT = Path(__file__).resolve().parents[4] / "intent"
LAB = INTENT / "lab"
BRIDGED = ("fe-leaf01-h1", "fe-leaf02-h1")
ROUTED = ("fe-leaf01-h1", "fe-leaf02-h2")
RAIL = ("gpu0001:rdma0", "gpu0002:rdma1")
LOCAL = ("gpu0001:rdma0", "gpu0002:rdma0")
Edits = Mapping[tuple[str, Key], Attributes | None]
Files = list[tuple[Owner, Mapping[str, str]]]


@cache
def texts(site: Path = LAB) -> Files:
    """Return the rendered files of a site."""
    made = compile_site(load_site(site)).site
    assert made is not None
    return list(rendered(made))


@cache
def case_of(ends: tuple[str, str], site: Path = LAB) -> tuple[Case, Ground]:
    """Return the first pair of two ends, and the model of all switches."""
    made = compile_site(load_site(site)).site
    assert made is not None
    nodes = {word.partition(":")[0] for word in ends}
    every = stands(made, lambda name: name in nodes)
    ones, others = (named(word, every) for word in ends)
    second, _ = walked(made, [s.station for s in (*every, *ones, *others)], texts(site))
    found = next(iter(cases(ones, others, Model(made, every), second)))
    running = [switch.name for fabric in made.fabrics for switch in fabric.topology.switches]
    return found, ground_of(made, running)


@cache
def way_of(ends: tuple[str, str], site: Path = LAB, dscp: int | None = None) -> Route:
    """Return the branches of a pair."""
    case, ground = case_of(ends, site)
    return route(ground, case, dscp)


def written(ends: tuple[str, str], site: Path = LAB) -> dict[str, Observed]:
    """Return running states as designed, written from the model, with the asked routes."""
    _, ground = case_of(ends, site)
    way = way_of(ends, site)
    found = {}
    for name in way.switches:
        facts: Facts = {key: dict(own) for key, own in ground.expected[name].facts.items()}
        for key in way.asks(name):
            facts[key] = _route(way, ground, name, key)
        found[name] = Observed(facts=facts)
    return found


def _route(way: Route, ground: Ground, name: str, key: Key) -> Attributes:
    """Return the route of a right switch to an asked address."""
    _, vrf, address = key
    step = next(each for each in way.steps if each.switch == name)
    other = way.case.other
    if vrf == GLOBAL and not step.is_last:
        return {"ports": ground.underlay(name).next_hops(address), "via": ("192.0.2.1",)}
    if step.is_last:
        reader = reader_of(ground.expected[name].platform)
        assert reader is not None
        vlan = other.vlan
        return {
            "ports": (reader.names.gateway(vlan.id) if vlan is not None else step.leaves,),
            "via": (),
        }
    return {"ports": ("transit",), "via": (step.target,)}


def followed(
    ends: tuple[str, str],
    edits: Edits | None = None,
    *,
    files: Files | None = None,
    seen: Mapping[str, Observed] | None = None,
    unread: Mapping[str, str] | None = None,
    site: Path = LAB,
    dscp: int | None = None,
) -> LivePath:
    """Return the compared path. `edits`: facts of running switches; None removes an object."""
    case, ground = case_of(ends, site)
    made = compile_site(load_site(site)).site if files is not None else None
    states = dict(seen if seen is not None else written(ends, site))
    for (name, key), own in (edits or {}).items():
        facts = {k: v for k, v in states[name].facts.items() if k != key}
        if own is not None:
            facts[key] = states[name].facts.get(key, {}) | own
        states[name] = replace(states[name], facts=facts)
    chosen = files if files is not None else texts(site)
    stations = [case.one.station, case.other.station]
    where = made if made is not None else compile_site(load_site(site)).site
    assert where is not None
    _, exchange = walked(where, stations, chosen)
    way = way_of(ends, site, dscp)
    return live_path(way, ground, (chosen, exchange), states, unread or {})
