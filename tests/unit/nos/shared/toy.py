"""A switch that is one file, and the agent on it: for the tests of commits and of the driver."""

# ruff: noqa: ARG002 - a toy does not look at all that it is given
from collections.abc import Iterable, Mapping
from typing import Any

from fabricgen.nos.shared.onswitch import disk, program
from fabricgen.nos.shared.onswitch.refusal import StepError
from fabricgen.nos.shared.onswitch.store import Tree
from fabricgen.nos.shared.onswitch.switch import Outcome, Switch

PATH = "file"


class Toy(Switch):
    """A switch that is one file. fails: steps that do, by name."""

    def __init__(self) -> None:
        self.fails: set[str] = set()

    def _step(self, name: str) -> None:
        if name in self.fails:
            raise StepError(f"{name} failed")

    def run(self, text: str) -> None:
        disk.replace(disk.ROOT / PATH, text.encode())

    @property
    def running(self) -> str:
        return (disk.ROOT / PATH).read_text()

    def judge(self, files: Mapping[str, str], executable: Iterable[str]) -> Tree:
        return Tree({path: disk.File(text.encode()) for path, text in files.items()})

    def config(self, candidate: Tree | None) -> dict[str, disk.File]:
        file = disk.File(self.running.encode())
        return {PATH: file if candidate is None else candidate.files[PATH]}

    def compare(self, candidate: Tree) -> str:
        return f"{self.running} -> {candidate.files[PATH].text}"

    def touched(self, candidate: Tree) -> list[str]:
        return [PATH]

    def checkpoint(self, candidate: Tree, touched: list[str]) -> tuple[Tree, dict[str, Any]]:
        self._step("checkpoint")
        return Tree(self.config(None)), {}

    def again(self, kept: Tree, facts: Mapping[str, Any]) -> Tree:
        return kept

    def apply(self, candidate: Tree, touched: list[str], facts: Mapping[str, Any]) -> Outcome:
        self.run(candidate.files[PATH].text)
        self._step("apply")
        return Outcome([], ["left out"])

    def restore(self, kept: Tree, facts: Mapping[str, Any]) -> list[str]:
        assert facts["touched"] == [PATH]
        self._step("restore")
        self.run(kept.files[PATH].text)
        return []

    def keep(self) -> list[str]:
        self._step("keep")
        return []


TOY = Toy()
AGENT = program.Agent(TOY)
