"""Run the command blocks of a page of the documentation and compare their output.

A fenced block whose first line starts with `$ ` is a session: commands and their output. The
sessions of a page run in order, in one empty folder that has copies of `intent/` and `inventory/`.
A line `…` or `...` stands for any number of lines. HTML comments directly above a block are notes:

- `<!-- file: lyon1/site.yaml -->`: the block is written to this file first.
- `<!-- append: lyon1/site.yaml -->`: the block is added at the end of this file.
- `<!-- replace: lyon1/site.yaml: OLD -> NEW -->`: a text of this file is replaced (no block).
- `<!-- not run: REASON -->`: the session does not run.
- `<!-- needs: lab -->`: the session boots or changes switches. Only tests of the lab run it.
- `<!-- exit: 1 -->`: the last command of the session ends with this code.
"""

import os
import re
import shlex
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.cli.calling import ROOT, call

BLOCK = re.compile(
    r"(?P<notes>(?:^[ ]*<!--(?:(?!-->).)*-->\n)*)^(?P<indent>[ ]*)```[^\n]*\n(?P<body>.*?)^[ ]*```$"
    r"|(?P<alone>^[ ]*<!-- replace:(?:(?!-->).)*-->$)",
    re.MULTILINE | re.DOTALL,
)
NOTE = re.compile(r"<!-- (file|append|replace|not run|needs|exit): (.*?) -->", re.DOTALL)
ANY = ("…", "...")
# Verbs that boot, ask or change switches.
CHANGING = frozenset(
    {"lab", "push", "resume", "rollback", "maintenance", "verify", "drift", "trust"}
)


@dataclass(frozen=True, slots=True)
class Command:
    """One command of a session and the lines that the page shows under it."""

    line: str
    shown: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block with its notes."""

    line: int
    notes: dict[str, str]
    body: str = ""
    commands: tuple[Command, ...] = field(default=())


class BlockError(AssertionError):
    """A session prints other lines than its page shows, or ends with another code.

    Args:
        block: The block of the page.
        command: The command, or None where a note of the block is wrong.
        problem: The end of the message.

    """

    def __init__(self, block: Block, command: Command | None, problem: str) -> None:
        what = f" `{command.line}`" if command else ""
        super().__init__(f"line {block.line}:{what} {problem}")


def blocks_of(page: str) -> Iterator[Block]:
    """Yield the blocks of a page that are sessions or have a note.

    Args:
        page: The Markdown of the page.

    """
    for found in BLOCK.finditer(page):
        line = page.count("\n", 0, found.start()) + 1
        notes = dict(NOTE.findall(found["notes"] or found["alone"] or ""))
        indent = found["indent"] or ""
        body = re.sub(rf"^{indent}", "", found["body"] or "", flags=re.MULTILINE)
        commands = tuple(_commands(body)) if body.startswith("$ ") else ()
        if notes or commands:
            yield Block(line, notes, body, commands)


def _commands(body: str) -> Iterator[Command]:
    for session in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        line, _, shown = session.replace("\\\n", " ").partition("\n")
        yield Command(line.partition("  #")[0].strip(), tuple(shown.rstrip("\n").splitlines()))


def run_page(page: str, folder: Path, *, with_lab: bool = False) -> None:
    """Run all sessions of a page in an empty folder.

    Args:
        page: The Markdown of the page.
        folder: The empty folder. It becomes the working folder.
        with_lab: Run the sessions that need a lab, too.

    Raises:
        BlockError: A session differs from the page.

    """
    for name in ("intent", "inventory"):
        shutil.copytree(ROOT / name, folder / name)
    os.chdir(folder)
    for block in blocks_of(page):
        _prepare(block, folder)
        if "not run" not in block.notes and (with_lab or "needs" not in block.notes):
            for command in block.commands:
                last = command is block.commands[-1]
                _run(block, command, int(block.notes.get("exit", 0)) if last else 0)


def _prepare(block: Block, folder: Path) -> None:
    """Write the files that the notes of a block name."""
    for note in ("file", "append"):
        if note in block.notes:
            path = folder / block.notes[note]
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("w" if note == "file" else "a") as file:
                file.write(block.body)
    if "replace" in block.notes:
        name, _, change = block.notes["replace"].partition(": ")
        old, _, new = change.partition(" -> ")
        text = (folder / name).read_text()
        if old not in text:
            raise BlockError(block, None, f"{name} does not contain '{old}'")
        (folder / name).write_text(text.replace(old, new))


def _run(block: Block, command: Command, expected: int) -> None:
    """Run one command in this process and compare what it prints."""
    words = shlex.split(command.line)
    match words:
        case ["cd", name]:
            os.chdir(name)
            code, printed = 0, ""
        case ["cat", name]:
            code, printed = 0, Path(name).read_text()
        case ["fabricgen", verb, *more] if _changes(verb, more) and "needs" not in block.notes:
            raise BlockError(block, command, "needs the note `needs: lab` or `not run`")
        case ["fabricgen", *rest]:
            answer = call(*rest)
            code, printed = answer.code, answer.out + answer.err
        case _:
            raise BlockError(block, command, "is refused: a page runs fabricgen, cat and cd alone")
    lines = [line.rstrip() for line in printed.splitlines()]
    if code != expected or (command.shown and not _equal(list(command.shown), lines)):
        problem = f"ends with {code}, expected {expected}, and prints\n{printed}"
        raise BlockError(block, command, problem)


def _changes(verb: str, more: list[str]) -> bool:
    return verb in CHANGING and [verb, *more[:1]] != ["lab", "export"]


def _equal(shown: list[str], printed: list[str]) -> bool:
    """Compare lines; a line of dots in `shown` stands for any lines, also none."""
    if not shown:
        return not printed
    if shown[0].strip() in ANY:
        return any(_equal(shown[1:], printed[start:]) for start in range(len(printed) + 1))
    return bool(printed) and shown[0].rstrip() == printed[0] and _equal(shown[1:], printed[1:])
