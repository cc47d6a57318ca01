"""The running lab of the suite: the example site, its model, and how the tests look at it."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.lab.machinery import INTENT, Ground
from tests.longer import ALL

from fabricgen.compile.compiler import Compiled, compile_site, files
from fabricgen.intent.load import load_site
from fabricgen.operate.lab.client import LabClient
from fabricgen.operate.lab.layout import lay_out
from fabricgen.operate.lab.plan import LabPlan
from fabricgen.prove.differences import Kind
from fabricgen.prove.verifier import Look, Verifier, expectations

NAME = "site"
PART = () if ALL else ("fe-*", "be-spine1", "be-su01-leaf1", "be-su01-leaf4")
"""What boots: the whole frontend, and of the backend one spine and two rails; or all of both."""
PATIENCE = 300
"""Seconds to wait for routing: a test that needs them has failed; it is not measured."""


@dataclass(frozen=True, slots=True)
class Running:
    """A lab that is up. rendered: what the compiler wrote, by path in the tree."""

    ground: Ground
    client: LabClient
    plan: LabPlan
    verifier: Verifier
    rendered: dict[str, str]
    said: str  # what `lab up` printed

    def settle(self) -> dict[str, Look]:
        """Look until every switch is as designed and nothing moves."""
        return self.verifier.settle(PATIENCE)

    def differences(self) -> list[str]:
        """Wait until the lab is settled; what differs then, in sentences."""
        looks = self.settle().values()
        return [found.sentence for look in looks for found in look.differences]

    def differences_of(self, *names: str) -> list[str]:
        """Look at some switches until they are as designed; what differs in the end."""
        end = time.monotonic() + PATIENCE
        while True:
            looks = self.verifier.look(names).values()
            said = [found.sentence for look in looks for found in look.differences]
            if not said or time.monotonic() > end:
                return said

    def run(self, name: str, *command: str) -> str:
        """Run a command that has to succeed on a switch or host."""
        done = self.client.execute(name, command)
        assert done.status == 0, (name, command, done.stdout, done.stderr)
        return done.stdout

    def files_of(self, switch: str) -> dict[str, str]:
        """Return the rendered files of a switch, by their paths on it."""
        folder = next(each.folder for each in self.plan.switches if each.name == switch)
        return {
            path.removeprefix(f"{folder}/"): text
            for path, text in self.rendered.items()
            if path.startswith(f"{folder}/")
        }

    def reload(self, switch: str, files: dict[str, str]) -> list[str]:
        """Let a switch take these files."""
        changed: list[str] = self.client.call("reload", switch=switch, files=files)
        return changed

    def status(self) -> tuple[int, dict[str, Any]]:
        """Return the exit code of `lab status` and what it says as JSON."""
        done = self.ground.call("lab", "status", "--format", "json")
        return done.returncode, json.loads(done.stdout)


def wrong(
    verifier: Verifier, enough: Callable[[dict[str, list[str]]], bool]
) -> dict[str, list[str]]:
    """Look until what is wrong is enough, twice alike; return it in sentences, by switch.

    `settle` would wait for the sessions that the faults keep down.
    """
    end, before = time.monotonic() + PATIENCE, None
    while True:
        looks = verifier.look()
        said = {
            name: [found.sentence for found in look.differences if found.kind is not Kind.NOT_YET]
            for name, look in looks.items()
        }
        if enough(said) and said == before:
            return said
        assert time.monotonic() < end, {name: look.differences for name, look in looks.items()}
        before = said


def compiled() -> Compiled:
    """Compile the example site."""
    made = compile_site(load_site(INTENT))
    assert made.ok, made.findings
    return made


def boot(ground: Ground) -> Running:
    """Boot the example site, and wait until it is as designed."""
    limits = [word for name in PART for word in ("--limit", name)]
    up = ("lab", "up", str(INTENT), "--name", NAME, "--health-timeout", str(PATIENCE), *limits)
    done = ground.call(*up)
    assert done.returncode == 0, done.stdout + done.stderr
    site = compiled().site
    assert site is not None
    rendered = {file.path: file.text for _, group in files(site) for file in group}
    plan = lay_out(site, name=NAME, lifted=None, files=(), limit=PART)
    client = ground.client(NAME)
    verifier = Verifier(client.ask, expectations(site, plan.names, plan.answered))
    return Running(ground, client, plan, verifier, rendered, done.stdout + done.stderr)
