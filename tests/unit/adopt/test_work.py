"""The work of an import grows with the number of switches, also where a site fits badly."""

import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from tests.switches import files_of_switches

from fabricgen.compile.compiler import compile_site
from fabricgen.importer import distance, nearness
from fabricgen.importer.adopted import adopt
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.topology import Role, Switch

SITE = """
site: {{name: lab, management: {{subnet: 10.255.0.0/20, ntp: [10.9.0.1]}}}}
frontend:
  leaf: {{model: 7050CX3-32S, platform: eos}}
  spine: {{model: 7060X6-64PE, platform: eos, count: 2}}
  links: {{speed: 100G}}
  leaf_groups: {{web: {{leafs: 1-{leafs}, servers: {{per_leaf: 2, speed: 25G}}}}}}
"""
MODELS = (("7050CX3-32S", "fe-leaf*"), ("7060X6-64PE", "fe-spine*"))
Change = Callable[[Switch, str], str]
_OWN_ASN = re.compile(r"(?m)^router bgp (\d+)$")


def unchanged(switch: Switch, text: str) -> str:
    """Return the file of a switch as it is rendered."""
    del switch
    return text


def odd_number(switch: Switch, text: str) -> str:
    """Return the file of a switch. Every third leaf has an ASN that follows from no rule."""
    if switch.role is not Role.LEAF or switch.ordinal % 3:
        return text
    return _OWN_ASN.sub(f"router bgp {4_209_900_000 + switch.ordinal**2}", text)


def write(folder: Path, leafs: int, change: Change) -> Path:
    """Write the configuration of each switch of a site."""
    site = compile_site(load_texts({"site.yaml": SITE.format(leafs=leafs)})).site
    assert site is not None
    for owner, own in files_of_switches(site):
        for file in own:
            place = folder / file.path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(change(owner, file.text))
    return folder


def count(
    monkeypatch: pytest.MonkeyPatch,
    folder: Path,
    models: tuple[tuple[str, str], ...],
) -> Counter[str]:
    """Import a folder; count the designs that are compiled and the switches that are rendered."""
    done: Counter[str] = Counter()

    def counted(what: str, step: Callable[..., object], *args: object) -> object:
        done[what] += 1
        return step(*args)

    with monkeypatch.context() as patch:
        for module, name in (
            (distance, "designed"),
            (nearness, "designed"),
            (distance, "files_of"),
        ):
            patch.setattr(module, name, partial(counted, name, getattr(module, name)))
        outcome = adopt([folder], models=models)
    assert outcome.switches
    return done


@pytest.mark.parametrize(
    ("change", "models"), [(unchanged, MODELS), (odd_number, MODELS), (odd_number, ())]
)
def test_twice_the_switches_are_about_twice_the_work(
    change: Change,
    models: tuple[tuple[str, str], ...],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """6, 12 and 24 leafs. Pins that fail are halved, so one more level comes with each step."""
    less, more, most = (
        count(monkeypatch, write(tmp_path / str(leafs), leafs, change), models)
        for leafs in (6, 12, 24)
    )
    for few, many in ((less, more), (more, most)):
        assert many["designed"] <= 2 * few["designed"]
        assert many["files_of"] <= 2.25 * few["files_of"]
