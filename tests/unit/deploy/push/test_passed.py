"""A push that drains a link waits at its far end until the ways over it are gone, as `verify`."""

from dataclasses import replace
from functools import cache

import pytest
from tests.unit.proof.state.lab import FRONTEND, LEAF, SPINE, models_of, text

from fabricgen.compile.compiler import compile_site
from fabricgen.core.tree.facts import GLOBAL, Facts, Key
from fabricgen.intent.load import load_texts
from fabricgen.nos.health import Health
from fabricgen.nos.linux.show.reader import LINUX
from fabricgen.operate.deploy.fleet import Outcome
from fabricgen.operate.deploy.push.gate import judged
from fabricgen.operate.deploy.push.model import BatchComparison, Model
from fabricgen.operate.deploy.texts import Texts
from fabricgen.prove.differences import compare

PORT, OTHER = "swp29", "swp30"
"""Of the leaf, to the spine and to the other one."""
ABOVE = "10.64.255.254/32"
"""The loopback of the spine."""
DRAINED = f"{LEAF}: {{links: {{{SPINE}: {{state: drained}}}}}}"


def intent(pins: str) -> str:
    return FRONTEND.replace("tenants:", f"  switches: {{{pins}}}\ntenants:", 1)


@cache
def model(pins: str = DRAINED) -> Model:
    made = compile_site(load_texts({"site.yaml": intent(pins)}))
    assert made.site is not None
    assert made.ok, made.findings
    names = (each.name for fabric in made.site.fabrics for each in fabric.topology.switches)
    return Model(made.site, Texts(made.site), frozenset(names))


def told(name: str, running: str = "") -> set[Key]:
    """Return the links that a switch is told to drain. running: the pins of what it runs."""
    changes = model().changes(name, model(running).texts.of(name).text)
    return {key for key in changes if key[0] == "drained link"}


def look(**ports: tuple[str, ...]) -> Health:
    """Return a look at the leaf; ports: to `others`, and to the `spine` itself."""
    seen = LINUX.read(text(LEAF))
    facts: Facts = {
        key: {"ports": ports.get("others", (OTHER,))}
        if key[0] == "route" and len(own["ports"]) > 1
        else own
        for key, own in seen.facts.items()
    }
    facts["route", GLOBAL, ABOVE] = {"ports": ports.get("spine", (PORT,))}
    return Health(observed=replace(seen, facts=facts))


BEFORE = look(others=(PORT, OTHER))


def lost(after: Health, before: Health = BEFORE, running: str = "") -> tuple[str, ...]:
    """Return what shuts the gate at the leaf when the spine is told."""
    changes = model().changes(SPINE, model(running).texts.of(SPINE).text)
    looks = {LEAF: before, SPINE: Health()}
    against = BatchComparison(model=model(), before=looks, changed={SPINE: changes})
    now = {LEAF: Outcome(after), SPINE: Outcome(Health())}
    return judged(looks, now, against).get(LEAF, ())


def verified(after: Health) -> list[str]:
    """Return what `verify` says of the leaf's routes."""
    assert after.observed is not None
    found = compare(models_of(intent(DRAINED))[LEAF], after.observed)
    return [each.sentence for each in found if each.key[:1] == ("route",)]


def test_each_end_is_told_what_the_other_is_to_send_another_way() -> None:
    assert told(SPINE) == {("drained link", LEAF, PORT)}
    assert told(LEAF) == {("drained link", SPINE, "swp2")}
    assert told("fe-leaf03") == set()


def test_a_link_that_is_drained_already_is_nothing_new() -> None:
    assert told(SPINE, DRAINED) == set()


@pytest.mark.parametrize("ports", [(PORT, OTHER), (PORT,)])
def test_the_gate_stays_shut_while_the_far_end_sends_over_it(ports: tuple[str, ...]) -> None:
    (said,) = (each for each in lost(look(others=ports)) if "still" in each)
    assert said == f"still sends to 10.64.0.1/32 over {PORT}, whose link is drained"
    assert verified(look(others=ports)) != []


def test_it_opens_when_only_the_switch_at_its_end_is_reached_over_it() -> None:
    assert lost(look()) == ()
    assert verified(look()) == []


def test_what_never_had_another_way_is_no_reason() -> None:
    """The other way may be a link that a later batch opens."""
    alone = look(others=(PORT,))
    assert lost(alone, alone) == ()


def test_a_link_that_was_drained_before_shuts_no_gate() -> None:
    assert lost(BEFORE, running=DRAINED) == ()


def test_a_switch_whose_ways_are_not_read_is_not_judged_by_them() -> None:
    assert lost(Health(), Health()) == ()
