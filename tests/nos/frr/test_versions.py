"""Every frr.conf of the examples, judged by the parsers of two versions of FRR."""

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest
from tests.longer import ALL, LARGE
from tests.switches import files_of_switches

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_site
from fabricgen.operate.lab.tools import Tools

INTENT = Path(__file__).parents[3] / "intent"
EXAMPLES = sorted(path.name for path in INTENT.iterdir() if path.is_dir())
TARGETS = ("linux:debian12", "linux:debian13", "sonic:202405", "sonic:202505", "sonic:202605")
VERSIONS = ("8.4.4", "10.3")


@cache
def parser(version: str) -> tuple[str, ...]:
    """Return the words that run the vtysh of a version; skip where it is not on this machine."""
    zebra = Tools.here(version).frr_command("usr/lib/frr/zebra") or ("/usr/lib/frr/zebra",)
    vtysh = Tools.here(version).frr_command("usr/bin/vtysh") or ("/usr/bin/vtysh",)
    missing = f"no FRR {version} on this machine; for 10.3: fabricgen lab install-tools --frr 10.3"
    if not Path(zebra[-1]).exists():
        pytest.skip(missing)
    said = subprocess.run((*zebra, "--version"), capture_output=True, text=True, check=False).stdout
    if said.split()[:3] != ["zebra", "version", version]:
        pytest.skip(missing)
    return vtysh


def refusals(version: str, text: str, folder: Path) -> str:
    """Let vtysh read lines, and return what it says of those that it refuses."""
    path = folder / "frr.conf"
    path.write_text(text)
    words = (*parser(version), "-C", "-f", str(path))
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    said = re.findall(r"line (\d+)", done.stdout + done.stderr)
    lines = text.splitlines()
    refused = "\n".join({lines[int(number) - 1] for number in said})
    return refused or (f"exit code {done.returncode}" if done.returncode else "")


@cache
def configuration(name: str, target: str) -> str:
    """Return all frr.conf of a site, one after the other: vtysh reads each as it would alone."""
    made = compile_site(load_site(INTENT / name), target)
    if made.site is None:
        return ""
    texts = sorted(
        file.text
        for _, group in files_of_switches(made.site)
        for file in group
        if file.path.endswith("/frr.conf")
    )
    return "".join(texts if ALL or name not in LARGE else ends_of_each_shape(texts))


def ends_of_each_shape(texts: list[str]) -> list[str]:
    """Return the first and the last of the texts that differ in their numbers alone."""
    shapes: dict[str, list[str]] = {}
    for text in texts:
        shapes.setdefault(re.sub(r"[0-9a-f.:]*[0-9][0-9a-f.:]*", "0", text), []).append(text)
    return [each for alike in shapes.values() for each in dict.fromkeys((alike[0], alike[-1]))]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_frr_takes_every_file(name: str, target: str, version: str, tmp_path: Path) -> None:
    parser(version)
    text = configuration(name, target)
    assert text, "the example has no frr.conf for this target"
    assert refusals(version, text, tmp_path) == ""


@pytest.mark.parametrize("version", VERSIONS)
def test_an_frr_names_the_line_that_it_refuses(version: str, tmp_path: Path) -> None:
    text = "frr defaults datacenter\nrouter bgp 1\n neighbor swp1 interface remote-as extrenal\n"
    assert refusals(version, text, tmp_path) == " neighbor swp1 interface remote-as extrenal"
