"""The sites whose EOS switches have written answers, and one look at a switch of them."""

import copy
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.nos.eos import sites
from tests.written.eos.eapi import output
from tests.written.eos.switches import Shown, written

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_site, load_texts
from fabricgen.model.fabric.switch import Site
from fabricgen.nos.registry import reader_of
from fabricgen.nos.show import Observed, Reader
from fabricgen.prove.catalogue.engine import run
from fabricgen.prove.catalogue.load import catalogue
from fabricgen.prove.catalogue.model import Outcome, Result, Subject
from fabricgen.prove.runs import Expected
from fabricgen.prove.verifier import expectations

INTENT = Path(__file__).resolve().parents[3] / "intent"
FOLDERS = ("full", "pairs", "tenants", "storage", "rail-only")
TIMED = json.loads(
    """{"site": {"name": "lab", "management": {"subnet": "10.255.0.0/22", "ntp": ["10.255.3.1"],
    "ptp": {"domain": 24, "fabrics": ["frontend"]}}},
    "servers": {"cpu": {"count": 2, "ports": {"front": {"fabric": "frontend", "group": "racks",
    "speed": "25G", "per_leaf": 1, "ptp": "client"}}}},
    "frontend": {"leaf": {"model": "7050CX3-32S", "platform": "eos"},
    "spine": {"model": "7050CX3-32S", "platform": "eos", "count": 2},
    "leaf_groups": {"racks": {"leafs": "1-2"}}},
    "tenants": {"red": {"vrfs": {"red": {"id": 1, "vlans": {"web": {"id": 110,
    "subnet": "10.1.0.0/24"}}}}, "attachments": [{"servers": "cpu", "access": "web"}]}}}"""
)
RELEASED = sites.FRONT.replace("platform: eos", 'platform: eos, release: "4.34"')
TEXTS = {
    **sites.SITES,
    "edge": sites.EDGE,
    "behind": sites.BEHIND,
    "timed": json.dumps(TIMED),
    "released": RELEASED,
}
Plant = Callable[[Shown], object]


@dataclass(frozen=True)
class Bench:
    """A site, the answers of its EOS switches, and what these should show."""

    site: Site
    shown: Mapping[str, Shown]
    wanted: Mapping[str, Expected]


@cache
def bench(name: str) -> Bench:
    """Return a site of the folder `intent`, or of the texts, with written answers."""
    loaded = load_site(INTENT / name) if name in FOLDERS else load_texts({"site.yaml": TEXTS[name]})
    compiled = compile_site(loaded)
    assert compiled.site is not None, compiled.findings
    there = [each.name for fabric in compiled.site.fabrics for each in fabric.present]
    return Bench(compiled.site, written(compiled.site), expectations(compiled.site, there))


def reader() -> Reader:
    found = reader_of("eos")
    assert found is not None
    return found


def seen(name: str, switch: str, plant: Plant | None = None, later: float = 0.0) -> Observed:
    """Return one look at a switch. `later`: seconds after the first look."""
    there = bench(name)
    shown = copy.deepcopy(there.shown[switch])
    shown["show version"]["uptime"] += later
    if plant is not None:
        plant(shown)
    return reader().read(output(shown, reader().request(there.wanted[switch].facts)))


def checked(name: str, switch: str, plant: Plant | None = None) -> tuple[Result, ...]:
    """Run every check on a switch that was right a minute ago."""
    subject = Subject(
        expected=bench(name).wanted[switch],
        before=seen(name, switch),
        observed=seen(name, switch, plant, later=60.0),
    )
    return run(catalogue(), subject, reader())


def found(results: tuple[Result, ...]) -> dict[str, list[str]]:
    """Return the sentences of each check that something is wrong or missing."""
    return {
        result.check: sentences
        for result in results
        for sentences in (
            [each.sentence for each in result.findings if each.outcome is not Outcome.UNREAD],
        )
        if sentences
    }
