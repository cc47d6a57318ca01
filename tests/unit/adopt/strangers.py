"""Configurations that cannot be adopted as they are, and what is said of them."""

import contextlib
import io
import re
from pathlib import Path

from tests.switches import files_of_switches
from tests.unit.adopt.inventories import put

from fabricgen.cli.main import run
from fabricgen.compile.compiler import compile_site
from fabricgen.core.diagnostics import Code
from fabricgen.intent.load import load_texts

SITE = """site:
  name: lab
  management: {subnet: 10.255.0.0/22, ntp: [10.255.3.250, 10.255.3.251]}
frontend:
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
  leaf_groups: {cpu: {leafs: 1-2, servers: {per_leaf: 4, speed: 25G}}}
"""
ODD = "hostname odd1\nservice routing protocols model multi-agent\ninterface Ethernet199/9\n"


def lab(intent: str = SITE) -> dict[str, str]:
    """Return what is rendered of a small site, by switch."""
    compiled = compile_site(load_texts({"site.yaml": intent}))
    assert compiled.site is not None
    return {f"{owner.name}.cfg": own[0].text for owner, own in files_of_switches(compiled.site)}


FAULTS: dict[Code, dict[str, str]] = {
    Code.ADOPT_MODEL: {"odd1.cfg": ODD, "odd2.cfg": ODD.replace("odd1", "odd2")},
    Code.ADOPT_LEFT_OUT: {"odd1.cfg": ODD, **lab()},
    Code.ADOPT_ASSUMED: {
        name: re.sub(r"   (?:ip address 10\.255|speed) ?.*\n", "", text)
        for name, text in lab().items()
    },
    Code.ADOPT_UNSAID: {
        name: re.sub(r"   description fe-leaf\S+ to fe-leaf.*\n", "", text)
        for name, text in lab().items()
    },
    Code.ADOPT_PORT: {
        name: text.replace("Ethernet1/1", "Ethernet1").replace("Ethernet2/1", "Ethernet99")
        for name, text in lab().items()
    },
    Code.ADOPT_DROPPED: lab(
        SITE.replace("per_leaf: 4", "per_leaf: 40") + "  oversubscription: 8\n"
    ),
}


def said(folder: Path, configs: dict[str, str], *words: str) -> tuple[int, str, str]:
    """Adopt files below a folder as people do: exit code, what is printed, and what is said."""
    put(folder / "configs", configs)
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = run(["import", "configs", "-o", "site", *words])
    return code, out.getvalue(), err.getvalue()


def faulty(folder: Path, code: Code) -> str:
    """Return what is said of the faults of a code."""
    return said(folder, FAULTS[code], "--model", "7050CX3-32S=fe-*")[2]
