"""Classes of stations: their answers are those of every pair, and one odd file is a class more."""

import random
import re
from collections.abc import Iterator, Sequence
from functools import cache

import pytest
from tests.unit.reach.features import FEATURES
from tests.unit.reach.wide import WIDE

from fabricgen.compile.compiler import Owner, designed
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import Site
from fabricgen.model.fabric.topology import Switch
from fabricgen.prove.evidence import rendered, walk
from fabricgen.prove.reach.classes import Classes
from fabricgen.prove.reach.matrix import Case, as_data, cases, examined, matrix
from fabricgen.prove.reach.model import Model
from fabricgen.prove.reach.stand import Stand
from fabricgen.prove.reach.stations import stands
from fabricgen.prove.walk.packet import Outcome

Texts = list[tuple[Owner, dict[str, str]]]
TURNS = 3
"""Sets of files for each site and platform; the first one is unchanged."""

SITES = {**WIDE, "static routes": FEATURES["static routes"][0]}


def _site(name: str, platform: str) -> Site:
    result = designed(load_texts({"site/site.yaml": SITES[name]}), platform)
    assert result.site is not None
    return result.site


@cache
def _rendered(name: str, platform: str) -> tuple[Site, tuple[Stand, ...], Texts]:
    made = _site(name, platform)
    return made, tuple(stands(made)), [(owner, dict(own)) for owner, own in rendered(made)]


def _classes(name: str, platform: str, texts: Texts) -> tuple[Classes, list[Case]]:
    """Return the classes of a site with some files, and all pairs by a new walk."""
    made, every, _ = _rendered(name, platform)
    first, second = (walk(made, [each.station for each in every], texts) for _ in range(2))
    model = Model(made, every)
    return Classes(every, model, first), list(cases(every, every, model, second))


def _differences(classes: Classes, every: list[Case], people: Sequence[Stand]) -> Iterator[str]:
    """Yield pairs with another result than the first pair of their kind."""
    places = {id(stand): index for index, stand in enumerate(people)}
    first: dict[object, Case] = {}
    for case in every:
        kind = classes.kind(places[id(case.one)], places[id(case.other)])
        like = first.setdefault((kind, case.packet.target.version), case)
        ours, theirs = ((each.model.outcome, each.written.outcome) for each in (case, like))
        if ours != theirs:
            yield f"{case.name}: {ours}, but {like.name}: {theirs}"


def _changed(texts: Texts, draw: random.Random) -> Texts:
    """Remove, double or renumber a line or two in files of switches."""
    made = [(owner, dict(own)) for owner, own in texts]
    for _ in range(draw.choice((1, 1, 2))):
        own = draw.choice([own for owner, own in made if isinstance(owner, Switch)])
        path = (
            max(own, key=lambda each: len(own[each]))
            if draw.random() < 0.7
            else draw.choice([*own])
        )
        lines = own[path].splitlines(keepends=True)
        place = draw.randrange(len(lines))
        change = draw.choice(("", "", lines[place] * 2, lines[place].replace("1", "2")))
        own[path] = "".join((*lines[:place], change, *lines[place + 1 :]))
    return made


@pytest.mark.parametrize("platform", ["eos", "sonic", "linux"])
@pytest.mark.parametrize("name", list(SITES))
def test_classes_answer_like_every_pair(name: str, platform: str) -> None:
    _, people, texts = _rendered(name, platform)
    draw = random.Random(f"{name} {platform}")
    for turn in range(TURNS):
        files = _changed(texts, draw) if turn else texts
        classes, every = _classes(name, platform, files)
        assert not [*_differences(classes, every, people)]
        few, all_ = list(classes.cases()), matrix(every)
        assert as_data(matrix(few)) == as_data(all_)
        assert examined(few) == examined(every)
        assert [cell.first[o].name for cell in matrix(few).values() for o in cell.first] == [
            cell.first[o].name for cell in all_.values() for o in cell.first
        ]


ODD = {
    "no VLAN": r"^vlan 11\n(?:   .*\n)*",
    "no EVPN instance": r"^   vlan 11\n(?:      .*\n)*",
    "no VLAN at one port": r"(?<=   switchport trunk allowed vlan 10)-11",
    "a port is shut": r"(?<=^interface Ethernet1/1\n)",
    "no neighbor": r"^   neighbor \S+ peer group EVPN-ABOVE\n",
    "no line of an access list": r"^   \d+ permit tcp .*\n",
    "no cable": r"^   neighbor \S+ peer group UNDERLAY-ABOVE\n",
}


@pytest.mark.parametrize("odd", list(ODD))
def test_one_odd_switch_is_a_class_more(odd: str) -> None:
    name = "zones"
    _, _, texts = _rendered(name, "eos")
    before, _ = _classes(name, "eos", texts)
    files = [(owner, dict(own)) for owner, own in texts]
    own = next(own for owner, own in files if owner.name == "fe-leaf03")
    new = "   shutdown\n" if odd == "a port is shut" else ""
    own["eos.cfg"], count = re.subn(ODD[odd], new, own["eos.cfg"], count=1, flags=re.MULTILINE)
    assert count
    after, _ = _classes(name, "eos", files)
    assert len(after) > len(before)


def test_leafs_of_a_fabric_are_one_class() -> None:
    few, _ = _classes("MLAG pairs", "eos", _rendered("MLAG pairs", "eos")[2])
    assert len(few) == 10
    assert len([*few.cases()]) < 300


def test_sample_addresses_stay_in_a_small_subnet() -> None:
    text = WIDE["MLAG pairs"].replace("10.2.0.0/24", "10.2.0.0/29")
    result = designed(load_texts({"site/site.yaml": text}))
    assert result.site is not None
    blue = [each for each in stands(result.site) if each.vrf == "blue"]
    own = {each.station.addresses[0] for each in blue}
    assert len(blue) == 8
    assert own == {f"10.2.0.{n}/29" for n in range(2, 7)}


def test_both_ports_of_a_bond_have_results_of_their_own() -> None:
    name = "IPv4 and IPv6, on bonds of one port at a time"
    _, _, texts = _rendered(name, "eos")
    files = [(owner, dict(own)) for owner, own in texts]
    spine = next(own for owner, own in files if owner.name == "fe-spine1")
    spine["eos.cfg"] = f"frobnicate 7\n{spine['eos.cfg']}"
    _, every = _classes(name, "eos", files)
    near = [each for each in every if each.one.leafs == each.other.leafs and each.model.hops]
    assert near
    assert {each.written.outcome for each in near} == {Outcome.REACHES}
