"""From a seed, one line or field of a leaf changed or gone: the readers together notice it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest
from tests.unit.proof.mutations import changed, mutants
from tests.unit.proof.test_written import ROOT

from fabricgen.compile.compiler import compile_site, files_of, folder_of, slices
from fabricgen.compile.render import Renderer
from fabricgen.intent.load import load_site
from fabricgen.nos.lowering import spell
from fabricgen.prove.qos.verify import Readback
from fabricgen.prove.written import prove

if TYPE_CHECKING:
    from fabricgen.model.fabric.switch import Site, SwitchSlice
    from fabricgen.prove.qos.verify import Verdict

    Switches = tuple[tuple[SwitchSlice, dict[str, str]], ...]

SAMPLE, SEED, LEAST = 100, 7, 0.97


@cache
def lab(platform: str) -> tuple[Site, Switches]:
    made = compile_site(load_site(ROOT / "intent" / "lab"), platform)
    assert made.site is not None
    renderer = Renderer()
    texts = []
    for _, switch_slice in slices(made.site):
        folder = folder_of(switch_slice.switch) + "/"
        files = files_of(switch_slice, renderer)
        texts.append((switch_slice, {file.path.removeprefix(folder): file.text for file in files}))
    return made.site, tuple(texts)


def noticed(platform: str, switch_slice: SwitchSlice, mutant: dict[str, str]) -> bool:
    """Tell whether the grammars or the readers of queues and paths find anything."""
    if prove(switch_slice, mutant).findings:
        return True
    chain = Readback(lab(platform)[0], spell)
    for verdict in others(platform, switch_slice.switch.name):
        chain.take(verdict)
    chain.take(chain.judge(switch_slice.switch, mutant))
    return bool(chain.result().findings)


@cache
def others(platform: str, leaf: str) -> tuple[Verdict, ...]:
    """Judge the other switches once: no mutant changes them."""
    site, switches = lab(platform)
    chain = Readback(site, spell)
    return tuple(
        chain.judge(switch_slice.switch, files)
        for switch_slice, files in switches
        if switch_slice.switch.name != leaf
    )


@pytest.mark.parametrize("leaf", ["fe-leaf01", "be-su01-leaf1"])
@pytest.mark.parametrize("platform", ["sonic", "linux"])
def test_a_change_of_one_line_is_noticed(platform: str, leaf: str) -> None:
    _, switches = lab(platform)
    switch_slice, files = next(each for each in switches if each[0].switch.name == leaf)
    assert not noticed(platform, switch_slice, files)
    missed = [
        told
        for told, mutant in mutants(files, SAMPLE, SEED)
        if not noticed(platform, switch_slice, mutant)
    ]
    assert len(missed) <= SAMPLE * (1 - LEAST), missed


@pytest.mark.parametrize(
    ("text", "other"), [("mtu 9214", "mtu 9215"), ("yes", "yesx"), ("a1 b 99 c", "a1 b 100 c")]
)
def test_a_mutant_is_another_text(text: str, other: str) -> None:
    assert changed(text) == other
