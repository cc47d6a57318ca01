"""A change in two labs: known differences are named, and a refused line is an error."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.lab.machinery import INTENT, Ground
from tests.longer import ALL, longer

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_site
from fabricgen.model.fabric.switch import Site
from fabricgen.review.lab import LabVerdict, compare_in_lab

LEAF = "be-su01-leaf1"
PATIENCE = 300
"""Seconds for each side, since a side of a test may be as slow as any other lab here."""
Edit = Callable[[Path], None]


@pytest.fixture(autouse=True)
def own_labs(machine: None, ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the labs of a test on its own ground."""
    for name, value in ground.environment.items():
        monkeypatch.setenv(name, value)


def edited(folder: Path, edit: Edit | None = None) -> Site:
    """Compile a copy of the example site."""
    shutil.copytree(INTENT, folder)
    if edit is not None:
        edit(folder)
    made = compile_site(load_site(folder))
    assert made.ok, made.findings
    assert made.site is not None
    return made.site


def without_a_vlan(folder: Path) -> None:
    """Remove the VLAN `app` of the tenant blue with the ports in it."""
    path = folder / "tenants" / "blue.yaml"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(line for line in lines if "app" not in line))


def custom(*lines: str) -> Edit:
    """Return the edit that gives a leaf these lines of FRR."""

    def edit(folder: Path) -> None:
        path = folder / "backend.yaml"
        text = "".join(f"          {line}\n" for line in lines)
        place = f"  switches:\n    {LEAF}:\n      custom_config:\n        frr: |\n"
        path.write_text(f"{path.read_text().rstrip()}\n{place}{text}")

    return edit


def compared(folder: Path, before: Edit | None, after: Edit | None, *changed: str) -> LabVerdict:
    """Compare two edits of the example site."""
    one, other = edited(folder / "old", before), edited(folder / "new", after)
    return compare_in_lab(one, other, changed, patience=PATIENCE, most=4)


def test_a_removed_vlan_is_named_by_its_routes_and_servers(tmp_path: Path) -> None:
    verdict = compared(tmp_path, None, without_a_vlan, "fe-leaf01", "fe-leaf02")
    assert (verdict.outcome, verdict.reasons) == ("differs", ())
    assert verdict.switches == ("fe-leaf01", "fe-leaf03", "fe-spine1", "fe-spine2")
    assert verdict.notes == ("fe-leaf01 represents 1 switch of its shape: fe-leaf02",)
    assert verdict.differences == (
        (
            "1 route of VRF blue only with the old files on fe-leaf01: "
            "host route of fe-leaf03-h4/blue-app"
        ),
        "1 route of VRF blue only with the old files on fe-leaf01, fe-leaf03: 10.10.40.0/24",
        (
            "1 route of VRF blue only with the old files on fe-leaf03: "
            "host route of fe-leaf01-h4/blue-app"
        ),
        "2 server ports only with the old files: fe-leaf01-h4/blue-app, fe-leaf03-h4/blue-app",
    )
    assert verdict.measured["sessions"] > 0


REFUSED = custom("frobnicate the fabric")


@pytest.mark.parametrize("side", ["old", "new"] if ALL else ["new"])
def test_a_line_that_frr_refuses_is_an_error(tmp_path: Path, side: str) -> None:
    before, after = (REFUSED, None) if side == "old" else (None, REFUSED)
    verdict = compared(tmp_path, before, after, LEAF)
    assert verdict.outcome == "error"
    (reason,) = verdict.reasons
    assert reason.startswith(f"with the {side} files: {LEAF}: FRR rejected etc/frr/frr.conf: line ")
    assert reason.endswith("frobnicate the fabric")


@longer
@pytest.mark.parametrize("side", ["old", "new"])
def test_a_line_that_a_daemon_refuses_is_an_error(tmp_path: Path, side: str) -> None:
    """The grammar of vtysh has it, so only the boot shows it."""
    lines = custom("router bgp {{ switch.asn }}", " neighbor 192.0.2.1 description no remote-as")
    before, after = (lines, None) if side == "old" else (None, lines)
    verdict = compared(tmp_path, before, after, LEAF)
    assert verdict.outcome == "error"
    assert all(
        reason.startswith(f"with the {side} files: FRR on {LEAF} refused lines ")
        for reason in verdict.reasons
    )


@longer
def test_an_equal_side_is_the_same(tmp_path: Path) -> None:
    verdict = compared(tmp_path, None, None, LEAF)
    assert (verdict.outcome, verdict.differences, verdict.reasons) == ("same", (), ())
