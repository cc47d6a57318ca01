"""Pushes to a real FRR switch of the running lab, by the verbs; each leaves it as it was."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
from tests.lab.machinery import INTENT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from subprocess import CompletedProcess

    from tests.lab.running import Running

LEAF, RAIL = "fe-leaf04", "be-su01-leaf4"
STATE = (
    "cd / && find etc/frr etc/network/interfaces etc/fabricgen etc/sysctl.d -type f "
    "-exec sha256sum {} + | sort; vtysh -c 'show running-config no-header'; "
    "ip -o link | cut -d' ' -f2 | sort; ip -o addr | awk '{print $2,$4}' | sort"
)


class Operator:
    """Somebody with a copy of the intent, who pushes to one switch of the lab at a time."""

    def __init__(self, lab: Running, folder: Path) -> None:
        """Copy the intent; the journal is beside it."""
        self.lab, self.site = lab, folder / "site"
        shutil.copytree(INTENT, self.site)

    def call(self, verb: str, *words: str, switch: str = LEAF) -> CompletedProcess[str]:
        """Run a verb on one switch."""
        limit = () if "--plan" in words or verb == "rollback" else ("--limit", switch)
        return self.lab.ground.call(
            verb, *words, str(self.site), "--lab", "site", *limit,
            FABRIC_ADMIN_HASH="$6$salt$admin",
        )  # fmt: skip

    def intend(self, fabric: str, underlay: str) -> None:
        """Say something of a fabric's underlay."""
        path = self.site / f"{fabric}.yaml"
        text, head = path.read_text(), f"{fabric}:\n"
        assert head in text
        path.write_text(text.replace(head, f"{head}  underlay: {underlay}\n", 1))

    def runs(self) -> list[str]:
        """Return everything that both switches have and run."""
        return [self.lab.run(name, "sh", "-c", STATE) for name in (LEAF, RAIL)]


@pytest.fixture
def operator(lab: Running, tmp_path: Path) -> Iterator[Operator]:
    """Hand out an operator; the switches must be as before in the end."""
    made = Operator(lab, tmp_path)
    before = made.runs()
    yield made
    assert made.runs() == before


def test_a_change_is_planned_pushed_verified_and_rolled_back(operator: Operator) -> None:
    """Slower BFD on the frontend's links: the sessions stay, and the way back is every byte."""
    operator.intend("frontend", "{bfd: {multiplier: 5}}")
    document = operator.site.parent / "plan.json"
    planned = operator.call("plan", "-o", str(document))
    assert planned.returncode == 2, planned.stdout + planned.stderr
    assert "detect-multiplier 5" in planned.stdout
    pushed = operator.call("push", "--plan", str(document))
    assert pushed.returncode == 0, pushed.stdout + pushed.stderr
    assert "detect-multiplier 5" in operator.lab.run(LEAF, "vtysh", "-c", "show running-config")
    assert operator.call("drift").returncode == 0
    plan = json.loads(document.read_text())["id"]
    back = operator.call("rollback", plan, "--yes")
    assert back.returncode == 0, back.stdout + back.stderr


def test_a_change_that_the_network_does_not_like_is_undone(operator: Operator) -> None:
    """Another ASN on one leaf alone: its spines expect the old one, so no session comes back."""
    operator.intend("backend", "{asn: {first: 4201000000}}")
    pushed = operator.call("push", "--yes", "--patience", "20", switch=RAIL)
    assert pushed.returncode == 5, pushed.stdout + pushed.stderr
    assert f"rolled-back: {RAIL}: BGP session" in pushed.stdout


def test_another_asn_of_a_switch_with_vrfs_is_taken_and_undone(operator: Operator) -> None:
    """No reload can change it, so BGP begins anew; alone it finds no spine that expects it."""
    operator.intend("frontend", "{asn: {first: 4201000000}}")
    pushed = operator.call("push", "--yes", "--patience", "20")
    assert pushed.returncode == 5, pushed.stdout + pushed.stderr
    assert f"rolled-back: {LEAF}: BGP session" in pushed.stdout


def test_host_keys_are_collected_and_then_trusted(operator: Operator) -> None:
    """The first look finds a new key and writes it, the second finds the same."""
    inventory = ("--inventory", str(operator.site.parent / "inventory"))
    first = operator.call("trust", "--write", *inventory)
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout.startswith(f"new       {LEAF}  ssh-ed25519 SHA256:")
    second = operator.call("trust", *inventory)
    assert (second.returncode, second.stdout.split()[0]) == (0, "same")
    known = (operator.site.parent / "inventory" / "known_hosts").read_text()
    assert known.startswith(f"{LEAF} ssh-ed25519 ")


def test_a_switch_is_compared_with_the_model(operator: Operator) -> None:
    """Alone, so that its neighbours are others' business."""
    found = operator.call("verify", "--settle", "120")
    assert found.returncode == 0, found.stdout + found.stderr
    assert "1 of 1 switches run as designed" in found.stdout
