"""From rendered frr.conf: which table and field of CONFIG_DB would say each line, and which none.

routing_tables.txt is that table, docs/decisions/frr-on-sonic.md shows it, and SONiC's models are
asked where they are named. No file is rendered so; the page says why.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.conftest import MODELS
from tests.nos.sonic import frrcfgd
from tests.nos.sonic.switches import BACKEND, HEAD, IPV6
from tests.nos.sonic.switches import slices as small

from fabricgen.compile.compiler import compile_site, files_of, slices
from fabricgen.compile.render import Renderer
from fabricgen.core.tree.facts import Facts
from fabricgen.core.tree.grammar import Grammar
from fabricgen.intent.load import load_site
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.models import Candidate
from fabricgen.nos.shared.frr.grammar import frr_grammar
from fabricgen.nos.sonic.frr_names import frr_names
from fabricgen.nos.sonic.releases import RELEASES
from fabricgen.nos.sonic.yang import tables as models
from fabricgen.nos.sonic.yang.judge import refusals
from fabricgen.nos.sonic.yang.tables import Node

ROOT = Path(__file__).parents[3]
TABLES = Grammar((Path(__file__).parent / "routing_tables.txt").read_text())
FRR = frr_grammar(frr_names("", ""))
NONE, OWN, ROW = "none", "sonic", "row"
"""What is no table: lines without a field, and lines that SONiC writes itself. What is no field."""
NO_FIELD = re.compile(r" set extcommunity none\n| neighbor \S+ password .*\n")
APART, PROFILE = {"always", "switch"}, "timers"
"""What frrcfgd does not say: SONiC's own lines, and that BFD has FRR's own timers."""
TIMERS_LINE = re.compile(r" neighbor \S+ timers (3 9|connect 10)")
TIMERS = "  underlay: {bfd: {interval: 100, multiplier: 3}}"
SITES = sorted(path.name for path in (ROOT / "intent").iterdir())
needs_models = pytest.mark.skipif(
    MODELS not in os.environ or shutil.which("yanglint") is None,
    reason="FABRICGEN_SONIC_YANG names no folder of SONiC's YANG models, or yanglint is missing",
)


class Routed(NamedTuple):
    """A switch, and what its frr.conf says as tables.

    lacking: lines that no field has. strange: lines that the table does not know.
    """

    switch_slice: SwitchSlice
    tables: dict[str, dict[str, Any]]
    lacking: frozenset[str]
    strange: list[tuple[int, str]]
    db: dict[str, Any]
    frr: str


def routed(switch_slice: SwitchSlice, renderer: Renderer) -> Routed:
    db, frr = files_of(switch_slice, renderer)
    reading = TABLES.read(frr.text)
    rows: dict[str, dict[str, Any]] = {}
    for (table, *row), fields in reading.facts.items():
        if table not in (NONE, OWN):
            rows.setdefault(table, {})["|".join(row)] = {
                name: list(value) if isinstance(value, tuple) else value
                for name, value in fields.items()
                if name != ROW
            }
    lacking = frozenset(reading.facts.get((NONE,), {}))
    return Routed(switch_slice, rows, lacking, reading.unclaimed, json.loads(db.text), frr.text)


@cache
def example(site: str) -> tuple[Routed, ...]:
    compiled = compile_site(load_site(ROOT / "intent" / site), "sonic")
    assert compiled.site is not None
    renderer = Renderer()
    return tuple(routed(switch_slice, renderer) for _, switch_slice in slices(compiled.site))


def one_of_each_role() -> list[Routed]:
    """Return a switch of each role of each fabric of the example sites; border leafs, too."""
    roles = {
        (site, each.switch_slice.routing.path, each.switch_slice.switch.role, each.lacking): each
        for site in SITES
        for each in example(site)
    }
    return list(roles.values())


def documented() -> dict[tuple[str, str], str]:
    """Return the fields that the page names, and which models it says have them."""
    page = (ROOT / "docs" / "decisions" / "frr-on-sonic.md").read_text()
    fields: dict[tuple[str, str], str] = {}
    for line in page.splitlines():
        if (row := re.fullmatch(r"\| `.*\| (.*) \| (.*) \|", line)) is None:
            continue
        for part in row[1].split("; "):
            if named := re.fullmatch(r"`([A-Z_]+)`(?:: (.*))?", part):
                for name in (named[2] or ROW).split(", "):
                    fields[named[1], name] = row[2]
    return fields


@pytest.mark.parametrize("site", SITES)
def test_every_line_of_an_example_site_is_in_the_table(site: str) -> None:
    for each in example(site):
        assert each.strange == []
        peers = len(each.switch_slice.sessions) + len(each.switch_slice.external)
        assert len(each.tables.get("BGP_NEIGHBOR", {})) == peers


@pytest.mark.parametrize("site", SITES)
def test_of_the_examples_only_external_peers_have_a_line_without_a_field(site: str) -> None:
    for each in example(site):
        peers = each.switch_slice.external
        secret = {"password"} if any(peer.border.password for peer in peers) else set()
        assert each.lacking == secret | ({"set-extcommunity-none"} if peers else set())


@pytest.mark.parametrize(("more", "lacking"), [(TIMERS, {"bfd-profile"}), (IPV6, set())])
def test_a_backend_lacks_a_field_where_its_bfd_timers_are_its_own(
    more: str, lacking: set[str]
) -> None:
    text = HEAD + BACKEND.format(model="7060X6-64PE", speed="800G", more=more)
    for switch_slice in small(text):
        each = routed(switch_slice, Renderer())
        assert each.strange == []
        assert each.lacking == lacking


def test_the_page_names_every_field() -> None:
    assert set(documented()) == {topic for topic in TABLES.about if topic[0] not in (NONE, OWN)}


def meaning(text: str) -> tuple[Facts, list[str]]:
    """Return what an frr.conf says of routing, and the lines that ours never has."""
    reading = FRR.read(text)
    facts = {
        key: {name: value for name, value in each.items() if name != PROFILE}
        for key, each in reading.facts.items()
        if key[0] not in APART
    }
    return facts, [line for _, line in reading.unclaimed]


def test_what_frrcfgd_makes_of_the_tables_means_what_frr_conf_does() -> None:
    for each in one_of_each_role():
        given, strange = meaning(frrcfgd.lines(each.tables))
        assert given == meaning(NO_FIELD.sub("", each.frr))[0], each.switch_slice.switch.name
        assert all(TIMERS_LINE.fullmatch(line) for line in strange), strange


def fields_of(node: Node) -> Iterator[str]:
    for each in node.below:
        yield each.name
        yield from fields_of(each)


@needs_models
@pytest.mark.parametrize("release", RELEASES)
def test_a_release_has_a_model_of_what_the_page_says(release: str) -> None:
    known = models.tables(Path(os.environ[MODELS]) / release)
    has = {name: {ROW, *fields_of(table.node)} for name, table in known.items()}
    for (table, name), since in documented().items():
        first = {"all": min(RELEASES), "**none**": "z"}.get(since, since.removeprefix("from "))
        assert (name in has.get(table, ())) == (first <= release), (table, name)


@pytest.mark.skipif(shutil.which("vtysh") is None, reason="vtysh is not installed")
def test_vtysh_accepts_what_frrcfgd_makes_of_the_tables(tmp_path: Path) -> None:
    for number, each in enumerate(one_of_each_role()):
        path = tmp_path / f"{number}.conf"
        path.write_text(frrcfgd.lines(each.tables))
        run = subprocess.run(
            ["vtysh", "-C", "-f", path], capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stdout + run.stderr


@needs_models
@pytest.mark.parametrize("release", RELEASES)
def test_no_model_refuses_the_tables_of_a_switch_without_tunnels(release: str) -> None:
    judged = [
        Candidate(
            each.switch_slice.switch.name, release, json.dumps(each.tables | referred(each.db))
        )
        for each in one_of_each_role()
        if each.switch_slice.vtep is None and not each.lacking
    ]
    assert len(judged) > 4
    assert list(refusals(Path(os.environ[MODELS]), judged)) == []


def referred(db: dict[str, Any]) -> dict[str, Any]:
    """Return the tables that routing refers to."""
    return {name: db[name] for name in ("PORT", "LOOPBACK_INTERFACE")}
