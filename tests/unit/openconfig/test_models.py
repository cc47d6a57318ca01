"""The public models take OpenConfig data: pyangbind's classes of openconfig/public load it.

`FABRICGEN_OPENCONFIG=PYTHON` names a Python with `ocbindings` from PyPI (217 MB).
"""

import json
import os
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.nos.eos.sites import EDGE, SITES
from tests.unit.openconfig.data import walk, written

PYTHON = os.environ.get("FABRICGEN_OPENCONFIG", "")
SCRIPT = Path(__file__).with_name("bound.py")
_ALIKE = 2
"""Entries of one form that are loaded: the bindings need a second for some ports."""

pytestmark = pytest.mark.skipif(
    not PYTHON, reason="no Python with ocbindings: FABRICGEN_OPENCONFIG names one"
)


def fewer(tree: Any) -> Any:
    """Return the data with few entries of one form in each list."""
    if isinstance(tree, dict):
        return {key: fewer(value) for key, value in tree.items()}
    if not isinstance(tree, list):
        return tree
    forms: Counter[frozenset[tuple[str, ...]]] = Counter()
    kept = []
    for each in map(fewer, tree):
        form = frozenset(path for path, _ in walk(each))
        forms[form] += 1
        if forms[form] <= _ALIKE or not isinstance(each, dict):
            kept.append(each)
    return kept


def refused(tree: dict[str, Any]) -> list[str]:
    done = subprocess.run(
        [PYTHON, str(SCRIPT)], input=json.dumps(tree), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (EDGE, "fe-leaf01"),
        (SITES["zones"], "fe-leaf01"),
        (SITES["paired"], "fe-leaf01"),
        (SITES["numbered-v6"], "fe-spine1"),
        (SITES["rails"], "be-su01-leaf1"),
    ],
    ids=["external peers", "zones", "bonds", "IPv6 links", "lossless"],
)
def test_the_models_take_the_data_and_give_it_back(text: str, name: str) -> None:
    _, tree = written(text)[name]
    assert refused(fewer(tree)) == []


def test_a_wrong_leaf_a_wrong_value_and_a_wrong_module_are_refused() -> None:
    for wrong in (
        {"openconfig-lldp:lldp": {"config": {"enable": True}}},
        {"openconfig-lldp:lldp": {"config": {"chassis-id-type": "SERIAL"}}},
        {"openconfig-lldp:lldp": {"openconfig-lacp:config": {"enabled": True}}},
    ):
        assert refused(wrong), wrong
