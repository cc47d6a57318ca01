"""Pushes to a real FRR switch of the running lab, by the verbs; each leaves it as it was."""

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest
from tests.lab.machinery import INTENT, PATIENCE
from tests.lab.running import NAME, Running
from tests.longer import longer

LEAF, RAIL = "fe-leaf04", "be-su01-leaf4"
PATIENT = ("--health-timeout", "500", "--confirm-timeout", "900")
"""A gate opens when the network is as before; a busy machine takes longer."""
STATE = (
    "cd / && find etc/frr etc/network/interfaces etc/fabricgen etc/sysctl.d -type f "
    "-exec sha256sum {} + | sort; vtysh -c 'show running-config no-header'; "
    "ip -o link | cut -d' ' -f2 | sort; ip -o addr | awk '{print $2,$4}' | sort"
)

CLAIM = """
import json, sys
from fabricgen.nos.linux.driver.driver import LinuxDriver
driver = LinuxDriver(*json.loads(sys.argv[1]))
driver.open()
driver.claim("0123456789ab")
"""
"""A push that claims a switch, and dies."""


class Operator:
    """Somebody with a copy of the intent, who pushes to one switch of the lab at a time."""

    def __init__(self, lab: Running, folder: Path) -> None:
        """Copy the intent; the journal is beside it."""
        self.lab, self.site = lab, folder / "site"
        shutil.copytree(INTENT, self.site)

    def call(self, verb: str, *words: str, switch: str = LEAF) -> CompletedProcess[str]:
        """Run a verb on one switch."""
        process = self.start(verb, *words, switch=switch)
        out, err = process.communicate(timeout=PATIENCE)
        return subprocess.CompletedProcess(words, process.returncode, out, err)

    def start(self, verb: str, *words: str, switch: str = LEAF) -> subprocess.Popen[str]:
        """Begin to."""
        whole = "--plan" in words or verb == "resume"
        whole |= verb == "rollback" and "--from-switches" not in words
        limit = () if whole else ("--limit", switch)
        return self.lab.ground.start(
            verb, *words, str(self.site), "--lab", NAME, *limit,
            FABRIC_ADMIN_HASH="$6$salt$admin",
        )  # fmt: skip

    def pushes(self) -> list[dict[str, Any]]:
        """Return what the journal has, the newest first."""
        done = self.lab.ground.call("history", str(self.site), "--format", "json")
        found: list[dict[str, Any]] = json.loads(done.stdout)["pushes"]
        return found

    def claimed(self) -> None:
        """Have a push claim the leaf, and die."""
        place = self.lab.ground.labs / NAME
        pipe = f"{sys.executable} -m fabricgen lab ssh --lab {NAME} --pipe {LEAF}"
        options = {
            "key_file": str(place / "key"),
            "known_hosts": str(place / "known_hosts"),
            "host_key_alias": LEAF,
            "proxy_command": f"env XDG_RUNTIME_DIR={self.lab.ground.folder} {pipe}",
        }
        words = json.dumps(["lab", "root", "", 60, options])
        subprocess.run((sys.executable, "-c", CLAIM, words), check=True)

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
    pushed = operator.call("push", "--plan", str(document), *PATIENT)
    assert pushed.returncode == 0, pushed.stdout + pushed.stderr
    assert "detect-multiplier 5" in operator.lab.run(LEAF, "vtysh", "-c", "show running-config")
    assert operator.call("drift").returncode == 0
    plan = json.loads(document.read_text())["id"]
    back = operator.call("rollback", plan, "--yes", *PATIENT)
    assert back.returncode == 0, back.stdout + back.stderr


@longer
def test_a_change_that_the_network_does_not_like_is_undone(operator: Operator) -> None:
    """A cable is pulled while the change waits for confirmation: what was lost with it is named."""
    operator.intend("backend", "{bfd: {multiplier: 5}}")
    cable = f"{RAIL}:swp5"
    push = operator.start("push", "--yes", "--health-timeout", "20", switch=RAIL)
    assert push.stderr is not None
    try:
        while "unconfirmed" not in (line := push.stderr.readline()):
            assert line
        assert operator.lab.ground.call("lab", "fail", cable).returncode == 0
        out, err = push.communicate(timeout=PATIENCE)
    finally:
        assert operator.lab.ground.call("lab", "restore", cable).returncode == 0
    assert push.returncode == 5, out + err
    assert f"rolled-back: {RAIL}: " in out


@longer
def test_another_asn_of_one_switch_waits_for_its_neighbors(operator: Operator) -> None:
    """They are not in this plan, so its ASN stays and everything works on."""
    operator.intend("frontend", "{asn: {first: 4201000000}}")
    pushed = operator.call("push", "--yes")
    assert pushed.returncode == 0, pushed.stdout + pushed.stderr
    assert "it waits for fe-spine1, fe-spine2, not in this plan" in pushed.stdout
    assert "2 steps left: plan again" in pushed.stdout
    (push,) = operator.pushes()  # it brought the secrets, which a lab boots without
    back = operator.call("rollback", push["plan"], "--yes")
    assert back.returncode == 0, back.stdout + back.stderr


@longer
def test_the_way_back_needs_no_journal(operator: Operator) -> None:
    """It is lost, so what the switch keeps is listed, shown, and brought back."""
    operator.intend("frontend", "{bfd: {multiplier: 5}}")
    pushed = operator.call("push", "--yes")
    assert pushed.returncode == 0, pushed.stdout + pushed.stderr
    plan = operator.pushes()[0]["plan"]
    shutil.rmtree(operator.site / ".fabricgen")
    refused = operator.call("rollback", plan, "--yes")
    assert (refused.returncode, "--from-switches" in refused.stderr) == (1, True)
    listed = operator.call("rollback", "--from-switches")
    assert listed.returncode == 0, listed.stderr
    assert plan in listed.stdout
    back = operator.call("rollback", plan, "--from-switches", "--yes")
    assert back.returncode == 0, back.stdout + back.stderr
    assert "-  profile UNDERLAY-300x5" in back.stdout
    assert f"{LEAF} confirmed" in back.stderr


@longer
def test_what_a_push_that_died_holds_is_given_up(operator: Operator) -> None:
    """Nobody else's plan comes past it before; what runs stays as it is."""
    operator.claimed()
    held = operator.call("plan")
    assert held.returncode == 3
    assert "by plan 0123456789ab" in held.stdout
    done = operator.call("unlock", "--yes")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 of 1 switches were held, 0 are left" in done.stdout
    assert operator.call("plan").returncode in {0, 2}


@longer
def test_a_push_that_was_killed_goes_on(operator: Operator) -> None:
    """Killed while the leaf runs the new configuration, unconfirmed; and then taken back."""
    operator.intend("frontend", "{bfd: {multiplier: 5}}")
    process = operator.start("push", "--yes")
    assert process.stderr is not None
    for line in process.stderr:
        if "unconfirmed" in line:
            break
    process.send_signal(signal.SIGKILL)
    process.communicate()
    (push,) = operator.pushes()
    assert push["result"] is None
    resumed = operator.call("resume", push["id"])
    assert resumed.returncode == 0, resumed.stdout + resumed.stderr
    assert f"{LEAF}: rolled back the unconfirmed commit of plan {push['plan']}" in resumed.stderr
    assert "detect-multiplier 5" in operator.lab.run(LEAF, "vtysh", "-c", "show running-config")
    back = operator.call("rollback", push["plan"], "--yes")
    assert back.returncode == 0, back.stdout + back.stderr


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
    """Alone, so that its neighbors are others' business."""
    found = operator.call("verify", "--settle", "120")
    assert found.returncode == 0, found.stdout + found.stderr
    assert "1 of 1 switch passed" in found.stdout
