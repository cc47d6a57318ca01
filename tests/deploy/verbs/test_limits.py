"""`--limit`, whatever verb takes it: no switch outside of it is asked, changed or named."""

from collections.abc import Iterator

import click
import pytest
from nornir.core.inventory import Inventory
from tests.deploy.verbs.conftest import LEAFS, Work

from fabricgen.cli.main import main
from fabricgen.operate.deploy import trust
from fabricgen.operate.lab import up

SPINES = ("fe-spine1", "fe-spine2")
LIMITS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "one": (("fe-spine2",), ("fe-spine2",)),
    "a pattern": (("fe-spine*",), SPINES),
    "two": (("fe-leaf01", "fe-spine?"), ("fe-leaf01", *SPINES)),
    "a fabric": (("frontend",), (*LEAFS, *SPINES)),
}
"""Patterns, and the switches that they name."""
WORDS = {"push": ("--yes",), "rollback": ("--yes",), "diff": ("--live",), "unlock": ("--yes",)}
"""What a verb needs beside SITE and `--limit`. A verb that is not here is called with those two."""


LOSSLESS = ("watch",)
"""Verbs that ask only switches with a lossless class. This site has none."""


def verbs(group: click.Group, before: str = "") -> Iterator[str]:
    """Return every verb that takes `--limit`, as it is called."""
    bare = click.Context(group)
    for name in group.list_commands(bare):
        verb = group.get_command(bare, name)
        if isinstance(verb, click.Group):
            yield from verbs(verb, f"{before}{name} ")
        elif (
            verb is not None
            and any("--limit" in option.opts for option in verb.params)
            and name not in LOSSLESS
        ):
            yield f"{before}{name}"


def asked(work: Work) -> set[str]:
    """Return the switches that were asked anything."""
    return {path.parent.name for path in work.folder.glob("switches/*/requests")}


def change_all(work: Work) -> None:
    """Change the intent so that every switch differs from it."""
    work.intend("frontend:\n", "frontend:\n  underlay: {bfd: {multiplier: 5}}\n")


def pushed(work: Work) -> str:
    """Push a change to all four switches; return the id of its plan."""
    change_all(work)
    plan = work.plan()
    assert {entry["state"] for entry in plan["switches"]} == {"changes"}
    assert work.fabricgen("push", "site", "--plan", "plan.json") == 0
    return str(plan["id"])


class Elsewhere:
    """What reaches switches by other ways than a driver: it notes which, and does nothing."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.names: set[str] = set()
        monkeypatch.setattr(trust, "scan", self.scan)
        monkeypatch.setattr(up, "boot", self.boot)

    def scan(self, inventory: Inventory) -> list[trust.Shown]:
        """Instead of asking for keys."""
        self.names |= set(inventory.hosts)
        return []

    def boot(self, wish: up.LabRequest, *_: object) -> None:
        """Instead of booting."""
        self.names |= {switch.name for switch in wish.plan.switches}
        raise click.exceptions.Exit(0)


@pytest.mark.parametrize(("patterns", "meant"), LIMITS.values(), ids=LIMITS)
@pytest.mark.parametrize("verb", tuple(verbs(main)))
def test_no_switch_outside_the_limit_is_touched(
    work: Work,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    verb: str,
    patterns: tuple[str, ...],
    meant: tuple[str, ...],
) -> None:
    """And each one inside is asked, or booted: a verb that does nothing keeps any limit."""
    plan = [pushed(work)] if verb == "rollback" else []
    if not plan:
        change_all(work)
    for path in work.folder.glob("switches/*/requests"):
        path.unlink()
    elsewhere, before = Elsewhere(monkeypatch), work.everything()
    capsys.readouterr()
    limits = (f"--limit={pattern}" for pattern in patterns)
    names = meant[-1:] if verb.startswith("maintenance") else ()
    work.fabricgen(*verb.split(), *plan, "site", *names, *limits, *WORDS.get(verb, ()))
    said, now = "".join(capsys.readouterr()), work.everything()
    assert asked(work) | elsewhere.names == set(meant)
    assert {name for name in now if now[name] != before[name]} <= set(meant)
    assert not [name for name in before if name not in meant and name in said]


def test_a_limit_that_would_be_ignored_is_refused(work: Work) -> None:
    """A plan that was made, and two sides that are both files, have no switch to leave out."""
    change_all(work)
    work.plan()
    assert work.fabricgen("push", "site", "--plan", "plan.json", "--limit", LEAFS[0]) == 64
    assert work.fabricgen("diff", "site", "site", "--limit", LEAFS[0]) == 64


def test_a_rollback_of_none_within_the_limit_says_so(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rather than ask to undo it on 0 switches."""
    work.rename_tenant()
    plan = work.plan()
    assert work.fabricgen("push", "site", "--plan", "plan.json") == 0
    assert work.fabricgen("rollback", plan["id"], "site", "--limit", SPINES[0], "--yes") == 1
    assert f"plan {plan['id']} changed no switch of --limit" in capsys.readouterr().err
