"""Every place that a reason, a need or a finding cites is in the schema and found in the YAML.

The example sites and those of sites.py are lowered on every platform; one switch of each fabric,
role, group and platform and one server of each fabric are looked through.
"""

import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.diagnostics import planted
from tests.diagnostics.test_diagnostics import printed
from tests.keys.sites import SITES

from fabricgen.compile.compiler import Compiled, compile_site, host_slices, slices
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.intent.load import Loaded, load_site, load_texts
from fabricgen.intent.model.facts import SwitchFacts
from fabricgen.intent.paths import kinds_at, known
from fabricgen.intent.source import SourceMap
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.features import needs
from fabricgen.nos.hosts.lower import lower_host
from fabricgen.nos.hosts.slices import HostSlice
from fabricgen.nos.lowering import lower_switch
from fabricgen.nos.registry import platforms

EXAMPLES = sorted(path for path in Path("intent").iterdir() if path.is_dir())
NAMES = [*(path.name for path in EXAMPLES), *(f"keys-{name}" for name in SITES)]
MISSPELLED = {Code.UNKNOWN_KEY}
"""Findings about a key that the schema does not have point at it all the same."""


def load(name: str) -> Loaded:
    if name.startswith("keys-"):
        return load_texts({"site.yaml": json.dumps(SITES[name.removeprefix("keys-")])})
    return load_site(Path("intent") / name)


def looked_at(compiled: Compiled) -> Iterator[SwitchSlice | HostSlice]:
    """Yield one switch of each kind and one server of each fabric."""
    assert compiled.site is not None
    seen: set[object] = set()
    for _, switch_slice in slices(compiled.site):
        switch = switch_slice.switch
        kind = (
            switch.fabric,
            switch.role,
            switch.group,
            switch.platform,
            bool(switch_slice.external),
        )
        if kind not in seen:
            yield switch_slice
        seen.add(kind)
    for host in host_slices(compiled.site):
        sides = tuple(side.fabric for side in host.bridged), len(host.routed)
        if sides not in seen:
            yield host
        seen.add(sides)


def reasons(value: Any, seen: dict[int, Any]) -> Iterator[Provenance]:
    """Yield the reasons of an object and of everything in it."""
    if value is None or isinstance(value, str | int | float) or id(value) in seen:
        return
    seen[id(value)] = value  # kept, so that its id is no other's
    if isinstance(value, Provenance):
        yield value
    parts: list[Any] = [getattr(value, "because", None)]
    if is_dataclass(value):
        parts += [getattr(value, item.name) for item in fields(value)]
    elif isinstance(value, dict):
        parts += value.values()
    elif isinstance(value, tuple | list):
        parts += value
    for part in parts:
        yield from reasons(part, seen)


def cited(switch_slice: SwitchSlice | HostSlice, seen: dict[int, Any]) -> Iterator[IntentPath]:
    """Yield what a slice, its files and the features it needs cite."""
    lowered: Any
    if isinstance(switch_slice, HostSlice):
        lowered = lower_host(switch_slice)
    else:
        lowered = lower_switch(switch_slice)
        yield from needs(switch_slice).values()
    for reason in reasons((switch_slice, lowered), seen):
        yield from reason.paths


@pytest.mark.parametrize("platform", platforms())
@pytest.mark.parametrize("name", NAMES)
def test_every_place_that_is_cited_is_one(name: str, platform: str) -> None:
    loaded = load(name)
    compiled = compile_site(loaded, platform)
    assert compiled.site is not None
    seen: dict[int, Any] = {}
    paths = {path for switch_slice in looked_at(compiled) for path in cited(switch_slice, seen)}
    paths |= {item.path for item in compiled.findings if item.path}
    assert len(paths) > 10
    assert not [path for path in paths if not known(path)]
    assert not [path for path in paths if path and loaded.source.locate(path) is None]


@pytest.mark.parametrize("code", Code, ids=lambda code: code.value)
def test_a_diagnostic_points_at_a_place_of_the_schema(
    code: Code, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[IntentPath] = []
    locate = SourceMap.locate

    def noted(self: SourceMap, path: IntentPath, *, key: bool = False) -> Any:
        if "model" in self.root:  # a file of hardware facts, which has words of its own
            assert kinds_at(path, SwitchFacts)
        else:
            asked.append(path)
        return locate(self, path, key=key)

    monkeypatch.setattr(SourceMap, "locate", noted)
    planted.base.cache_clear()
    printed.cache_clear()  # a kept answer would locate nothing
    printed(code)
    held = [path[:-1] if code in MISSPELLED else path for path in asked]
    assert not [path for path in held if not known(path)]
