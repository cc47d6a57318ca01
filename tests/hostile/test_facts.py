"""Files of hardware facts with anything in any place: refused or compiled, never a traceback."""

import os
import random
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml

from fabricgen.compile.compiler import compile_site, files
from fabricgen.core.diagnostics import has_errors
from fabricgen.intent.load import load_texts
from fabricgen.model import catalog

DATA = Path(catalog.__file__).parent / "data"
FILES = sorted((*DATA.glob("switches/*.yaml"), *DATA.glob("nics/*.yaml")))
ROUNDS = int(os.environ.get("FABRICGEN_FUZZ", "5"))
SITE = """
site:
  name: lab
  management: {{subnet: 10.255.0.0/22, ntp: [10.255.0.250, 10.255.0.251]}}
  accept_unsupported: [local-users, pfc-watchdog]
backend:
  design: rail-only
  servers: {{count: 2, gpus: 8, nic_speed: 400G, nic: {nic}}}
  leaf: {{model: {model}, platform: {platform}}}
"""
JUNK: tuple[Any, ...] = (
    *(None, True, -1, 0, 2, 8, 10**6, 10**15, 1.5, "", "x", "1x400G", "8x1.6T", "1-64", "1,2"),
    *("Ethernet0", "Tomahawk5", "none", "$(x)", "é", "a" * 300, [], [1], {}, {"a": 1}),
)


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the place of everything in a file."""
    items: Any = enumerate(value) if isinstance(value, list) else ()
    for key, below in value.items() if isinstance(value, dict) else items:
        yield (*path, key)
        yield from places(below, (*path, key))


def broken(facts: dict[str, Any], dice: random.Random) -> str:
    """Return a file with something else, or nothing, in one place of it."""
    facts = deepcopy(facts)
    *above, last = dice.choice(list(places(facts)))
    here: Any = facts
    for step in above:
        here = here[step]
    if dice.random() < 0.2:
        del here[last]
    elif isinstance(here, dict) and dice.random() < 0.2:
        here[str(dice.choice(JUNK))] = here.pop(last)
    else:
        here[last] = dice.choice(JUNK)
    return yaml.safe_dump(facts, sort_keys=False, allow_unicode=True)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_facts_that_are_anything_are_refused_or_compiled(file: Path) -> None:
    facts = yaml.safe_load(file.read_text())
    name = f"{facts['model']}-2"
    facts["model"] = name
    kind = file.parent.name
    model, nic = ("SN5600", name) if kind == "nics" else (name, "connectx-7")
    vendor = "" if kind == "nics" else "x-"
    for number in range(ROUNDS):
        dice = random.Random(f"{file.stem} {number}")
        platform = dice.choice(list(facts.get("platforms", ["sonic", "linux"])))
        site = SITE.format(model=model, nic=nic, platform=platform)
        path = f"catalog/{kind}/{vendor}{name.lower()}.yaml"
        made = compile_site(load_texts({"site.yaml": site, path: broken(facts, dice)}))
        assert made.ok or has_errors(made.findings)
        if made.ok and made.site is not None:
            assert all(each.text for _, group in files(made.site) for each in group)
