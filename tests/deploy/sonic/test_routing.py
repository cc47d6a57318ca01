"""Changes of frr.conf by the driver's own code, on a real FRR with sessions to a spine."""

import subprocess
from pathlib import Path

import pytest
from tests.conftest import NOT_RUN
from tests.deploy.sonic.edits import EDITS, EVERYTHING, RENUMBERED, RESETS, base, edited
from tests.deploy.sonic.standin.frr import RealFrr, until

from fabricgen.compile.output.risks import changes_of
from fabricgen.core.tree.judge import worst
from fabricgen.core.tree.risk import Risk
from fabricgen.nos.shared.onswitch import disk
from fabricgen.nos.shared.onswitch.refusal import StepError
from fabricgen.nos.sonic.driver.onswitch import vtysh
from fabricgen.nos.sonic.driver.onswitch.container import CONF, Container

RELOADER = Path("/usr/lib/frr/frr-reload.py")
LIMITS = {"updater_timeout": 60.0, "routing_timeout": 0.0}
HEAD = ("frr ", "hostname", "log ", "no ip", "fpm", "no fpm", "service")


def differences(leaf: RealFrr, wanted: str) -> str:
    """Return what FRR's own frr-reload.py would still change: a judge that is not ours."""
    if not RELOADER.exists():
        pytest.skip(f"{NOT_RUN}: no frr-reload.py to judge by")
    places = []
    for name, text in (("running", leaf.running()), ("wanted", wanted)):
        places.append(leaf.home / name)
        kept = [line for line in text.splitlines() if not line.startswith(HEAD)]
        places[-1].write_text("\n".join(kept) + "\n")
    words: tuple[str | Path, ...] = (
        RELOADER,
        "--test",
        "--stdout",
        "--log-level",
        "warning",
        "--input",
        *places,
    )
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("name", EDITS)
def test_a_running_frr_comes_to_the_file_and_back(leaf: RealFrr, name: str) -> None:
    wanted, before = edited(name), (leaf.pids(), leaf.sessions())
    Container(LIMITS).route(wanted, start=False)
    assert differences(leaf, wanted) == ""
    assert (disk.ROOT / CONF).read_text() == wanted
    Container(LIMITS).back(base(), start=False)
    assert differences(leaf, base()) == ""
    assert (disk.ROOT / CONF).read_text() == base()
    assert leaf.pids() == before[0]
    assert leaf.restarts == 0
    if name in RESETS:
        leaf.settle()
    else:
        assert leaf.sessions() == before[1]


def test_risk_says_what_ends_every_session() -> None:
    for name in RESETS:
        files = [{"frr.conf": text} for text in (base(), edited(name))]
        assert worst(changes_of("sonic", *files)) == Risk.SESSION_RESET


@pytest.mark.parametrize(("old", "new"), RENUMBERED)
def test_entries_of_a_list_that_change_their_numbers_restart_frr(old: str, new: str) -> None:
    files = [{"frr.conf": text} for text in (base(), base().replace(old, new))]
    for before, after in (files, files[::-1]):
        changes = changes_of("sonic", before, after)
        assert any("container bgp, which restarts" in each.rule.why for each in changes)


@pytest.mark.parametrize("share", [0.1, 0.25, 0.4, 0.6, 0.75, 0.9])
def test_a_change_that_was_killed_is_undone_by_commands(leaf: RealFrr, share: float) -> None:
    """Its process and vtysh end after some of the commands, with the new file in its place."""
    wanted = edited(EVERYTHING)
    lines = vtysh.commands(vtysh.States.of(leaf.running(), base(), wanted))
    some = leaf.home / "some"
    some.write_text("\n".join(lines[: int(len(lines) * share)]) + "\n")
    leaf.vtysh("-f", str(some))
    (disk.ROOT / CONF).write_text(wanted)
    before = leaf.pids(), leaf.sessions()
    Container(LIMITS).back(base(), start=False)
    assert differences(leaf, base()) == ""
    assert (leaf.restarts, leaf.pids(), leaf.sessions()) == (0, *before)


def test_lines_of_other_programs_stay(leaf: RealFrr) -> None:
    """As sonic-bgpcfgd has some of its own in FRR; neither file speaks of them."""
    lines = ("ip prefix-list THEIRS seq 5 permit 10.0.0.0/8", "route-map THEIRS permit 10")
    said = leaf.home / "theirs"
    said.write_text("\n".join(lines) + "\nexit\nroute-map TO-ABOVE permit 900\n")
    leaf.vtysh("-f", str(said))
    theirs = (*lines, "route-map TO-ABOVE permit 900")
    Container(LIMITS).route(edited(EVERYTHING), start=False)
    assert {*theirs} <= {*leaf.running().splitlines()}
    Container(LIMITS).back(base(), start=False)
    assert {*theirs} <= {*leaf.running().splitlines()}
    said.write_text("".join(f"no {line}\n" for line in theirs))
    leaf.vtysh("-f", str(said))
    assert differences(leaf, base()) == ""


DOCS = Path(__file__).parents[3] / "docs/reference/sonic.md"


def drain(begin: str) -> list[str]:
    """Return the commands of the page that begin so, for the leaf of these tests."""
    blocks = DOCS.read_text().split("```")[1::2]
    (block,) = [block.strip() for block in blocks if block.strip().startswith(begin)]
    mine = block.replace("TO-BELOW", "TO-ABOVE").replace("10.64.255.254", "10.64.0.2")
    return mine.splitlines()


def test_a_drained_switch_tells_its_loopback_alone_whatever_is_pushed(leaf: RealFrr) -> None:
    everything = {"10.64.0.2/32", "10.65.0.2/32"}
    until(lambda: leaf.told() == everything)
    commands = leaf.home / "drain"
    commands.write_text("\n".join(drain("ip prefix-list DRAINED")) + "\n")
    assert leaf.vtysh("-f", str(commands)).status == 0
    until(lambda: leaf.told() == {"10.64.0.2/32"})
    Container(LIMITS).route(edited("a prefix list grown"), start=False)
    Container(LIMITS).back(base(), start=False)
    assert "route-map TO-ABOVE deny 3" in leaf.running()
    assert leaf.told() == {"10.64.0.2/32"}
    commands.write_text("\n".join(drain("no route-map")) + "\n")
    assert leaf.vtysh("-f", str(commands)).status == 0
    until(lambda: leaf.told() == everything)
    assert differences(leaf, base()) == ""


def test_what_a_drained_switch_tells_is_a_longer_way(leaf: RealFrr) -> None:
    """As the spine has it: the leaf's ASN, and three times more; no session ends."""
    sessions = leaf.sessions()
    Container(LIMITS).route(edited("drained"), start=False)
    until(lambda: leaf.paths() == {" ".join(["4200000001"] * 4)})
    Container(LIMITS).back(base(), start=False)
    until(lambda: leaf.paths() == {"4200000001"})
    assert (leaf.sessions(), leaf.restarts) == (sessions, 0)


def test_a_file_that_frr_refuses_in_part_does_not_stay(leaf: RealFrr) -> None:
    """The address of the switch itself as a neighbor: `vtysh -C` takes it, and bgpd does not."""
    wanted = base().replace("10.72.0.130", "10.72.0.129")
    missing = r"does not run frr\.conf: \+ router bgp \d+ > neighbor 10\.72\.0\.129"
    with pytest.raises(StepError, match=missing):
        Container(LIMITS).route(wanted, start=False)
    Container(LIMITS).back(base(), start=False)
    assert differences(leaf, base()) == ""
    assert leaf.restarts == 0
