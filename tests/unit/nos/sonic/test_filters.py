"""Random filters before and after a change: no moment between lets a route through by itself."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import hypothesis.strategies as st
from hypothesis import given

from fabricgen.nos.sonic.driver.onswitch.filters import Change, Filters, Rule

ROUTES = tuple(product("pqr", ("c", "d")))
"""Every route there is: a prefix and a community."""
IP, COMMUNITY = "ip prefix-list", "bgp community-list standard"
KINDS = {IP: "match ip address prefix-list", COMMUNITY: "match community"}


def lists(kind: str, rules: str) -> st.SearchStrategy[dict[str, dict[int, str]]]:
    """Draw lists of a kind; FRR keeps no rule twice."""
    action = st.sampled_from(["permit", "permit", "permit", "deny"])
    entry = st.tuples(st.sampled_from([10, 20, 30]), action, st.sampled_from(rules))
    entries = st.lists(entry, min_size=1, unique_by=(lambda row: row[0], lambda row: row[2]))
    made = entries.map(lambda rows: {seq: f"{action} {of}" for seq, action, of in rows})
    return st.dictionaries(st.sampled_from([f"{kind} {name}" for name in "AB"]), made)


@st.composite
def filters(draw: Any) -> Filters:
    """Draw lists, and a route map that refers to none but those."""
    made = draw(lists(IP, "pqr")) | draw(lists(COMMUNITY, "cd"))
    names = [name.rpartition(" ")[::2] for name in made]
    clauses = {
        kind: [f"{KINDS[kind]} {name}" for of, name in names if of == kind] for kind in KINDS
    }
    entries = {}
    for seq in draw(st.sets(st.sampled_from([10, 20, 30]), min_size=1)):
        wanted = [kind for kind in KINDS if clauses[kind] and draw(st.booleans())]
        matches = [draw(st.sampled_from(clauses[kind])) for kind in wanted]
        said = draw(st.sampled_from([(), ("set community 1:1",), ("set community none",)]))
        action = draw(st.sampled_from(["permit", "deny"]))
        entries[seq] = Rule(action, (*matches, *said))
    return Filters(made, {"M": dict(sorted(entries.items()))})


def passes(state: Filters, route: tuple[str, str]) -> bool:
    """Tell whether FRR lets a route through: what no entry matches is denied."""
    for _, rule in sorted(state.maps.get("M", {}).items()):
        if all(_matches(state, clause, route) for clause in rule.clauses if clause[0] == "m"):
            return rule.action == "permit"
    return False


def _matches(state: Filters, clause: str, route: tuple[str, str]) -> bool:
    """A list that is not there matches nothing."""
    name = clause.rpartition(" ")[2]
    kind, word = (IP, route[0]) if "prefix-list" in clause else (COMMUNITY, route[1])
    for _, rule in sorted(state.lists.get(f"{kind} {name}", {}).items()):
        action, _, what = rule.partition(" ")
        if what == word:
            return action == "permit"
    return False


def after_each(state: Filters, commands: list[str]) -> Iterator[Filters]:
    """Yield the state after each command, as FRR 8.4.4 takes them."""
    made = {name: dict(rules) for name, rules in state.lists.items()}
    maps = {name: dict(rules) for name, rules in state.maps.items()}
    name, seq = "", 0
    for line in commands:
        words = line.removeprefix("no ").split()
        if words[0] == "route-map":
            name, seq = words[1], int(words[3])
            clauses = maps.get(name, {}).get(seq, Rule("", ())).clauses
            maps.setdefault(name, {})[seq] = Rule(words[2], clauses)
            if line.startswith("no "):
                del maps[name][seq]
        elif words[0] in ("match", "set"):
            kind, _, _ = line.removeprefix("no ").rpartition(" ")
            old = [each for each in maps[name][seq].clauses if not each.startswith(kind)]
            new = old if line.startswith("no ") else [*old, line]
            maps[name][seq] = Rule(maps[name][seq].action, tuple(new))
        elif words[0] != "exit":
            _list(made, line)
        yield Filters(made, maps)


def _list(made: dict[str, dict[int, str]], line: str) -> None:
    """Do a command about a list: a rule that it has under another number is not taken."""
    name, _, rest = line.removeprefix("no ").partition(" seq ")
    seq, _, rule = rest.partition(" ")
    rules = made.setdefault(name, {})
    if line.startswith("no "):
        assert rules.pop(int(seq)) == rule
        if not rules:
            del made[name]
    elif rule not in rules.values():
        rules[int(seq)] = rule


@given(filters(), filters())
def test_no_moment_lets_through_what_neither_state_does(before: Filters, after: Filters) -> None:
    change = Change(running=before, ours=before, wanted=after)
    may = {route for route in ROUTES if passes(before, route) or passes(after, route)}
    state = before
    for state in after_each(before, [*change.made(), *change.gone()]):
        assert {route for route in ROUTES if passes(state, route)} <= may
    assert {name: rules for name, rules in state.lists.items() if rules} == after.lists
    assert _meanings(state) == _meanings(after)


def _meanings(state: Filters) -> dict[int, tuple[str, frozenset[str]]]:
    return {seq: (rule.action, frozenset(rule.clauses)) for seq, rule in state.maps["M"].items()}


@given(filters())
def test_what_runs_is_not_said_again(state: Filters) -> None:
    same = Change(running=state, ours=state, wanted=state)
    assert [*same.made(), *same.gone()] == []
