"""A switch and its rendered files in; every line that nobody claims and every wrong fact out.

The fast way reads and compares; only when something differs are the files read again with line
numbers, so that a finding can name the line of the file and what the design says.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from fabricgen.diagnostics import Code, Diagnostic, Examined, Severity
from fabricgen.nos.registry import nos
from fabricgen.proof.designed import Expectation
from fabricgen.tree.facts import disagreements, merged
from fabricgen.tree.table import ALWAYS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from fabricgen.fabric.because import Because
    from fabricgen.fabric.switch import SwitchSlice
    from fabricgen.tree.facts import Disagreement, Facts, Key, Reading
    from fabricgen.tree.grammar import Grammar

NAME, NOUN = "written-facts", "objects read back"
UNCLAIMED = "no row of the grammar claims this line"
SHOWN = 20
"""Findings that are told one by one; the rest is counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """What came out for one switch: how many objects agree, and the findings."""

    switch: str
    agreeing: int
    findings: tuple[Diagnostic, ...] = ()


def prove(piece: SwitchSlice, files: Mapping[str, str], *, own: bool = False) -> Proof:
    """Compare the files of a switch, by their paths in its folder, with its design.

    own: templates of the site's own made them, so a line that no grammar knows is only warned of.
    """
    platform = piece.switch.platform
    grammars, expectation, always = expectation_of(platform)
    if expectation is None:
        return Proof(switch=piece.switch.name, agreeing=0)
    wanted = expectation.of(piece)
    wanted.update(always)
    written: Facts = {}
    strange = files.keys() != grammars.keys() and bool(files.keys() - grammars.keys())
    for path, text in files.items():
        if path in grammars:
            reading = grammars[path].read(text)
            strange = strange or bool(reading.unclaimed)
            if written:
                for key in written.keys() & reading.facts.keys():
                    reading.facts[key] = merged(written[key], reading.facts[key])
            written.update(reading.facts)
    if not strange and written == wanted:
        return Proof(switch=piece.switch.name, agreeing=len(wanted))
    wrong = disagreements(wanted, written)
    return Proof(
        switch=piece.switch.name,
        agreeing=len(wanted) - len({each.key for each in wrong}),
        findings=tuple(
            replace(finding, severity=Severity.WARNING)
            if own and finding.message.endswith(UNCLAIMED)
            else finding
            for finding in _findings(piece, expectation, grammars, files, wrong)
        ),
    )


@cache
def expectation_of(
    platform: str,
) -> tuple[Mapping[str, Grammar], Expectation | None, Facts]:
    """Return the grammars of a platform by file, what is expected, and what always stands."""
    runs = nos(platform)
    if runs.grammar is None or runs.names is None:
        return {}, None, {}
    grammars = runs.grammar.load()
    about = frozenset(item for grammar in grammars.values() for item in grammar.about)
    always = {key: value for each in grammars.values() for key, value in each.always.items()}
    return grammars, Expectation(runs.names, about), always


def _findings(
    piece: SwitchSlice,
    expectation: Expectation,
    grammars: Mapping[str, Grammar],
    files: Mapping[str, str],
    wrong: list[Disagreement],
) -> Iterator[Diagnostic]:
    places: dict[tuple[Key, str], str] = {}
    for path, text in files.items():
        if path not in grammars:
            yield _finding(piece, f"{path}: no grammar reads this file")
            continue
        reading = grammars[path].trace(text)
        for number, line in reading.unclaimed:
            yield _finding(piece, f"{path}:{number} `{line.strip()}`: {UNCLAIMED}")
        places.update(_places(path, text, reading))
    reasons = {each.key: each.because for each in expectation.objects(piece)}
    for each in wrong:
        why = reasons.get(each.key)
        where = places.get((each.key, each.attribute)) or ", ".join(files)
        yield _finding(piece, f"{where}: {_told(each)}", why)


def _places(path: str, text: str, reading: Reading) -> dict[tuple[Key, str], str]:
    """Return where each fact stands: the line that says it itself, and its number."""
    rows = text.split("\n")
    return {
        fact: f"{path}:{numbers[0]} `{rows[numbers[0] - 1].strip()}`"
        for fact, numbers in reading.lines.items()
        if numbers
    }


def _told(each: Disagreement) -> str:
    if each.key[0] == ALWAYS:
        return f"the line `{each.key[1]}` is missing"
    return str(each)


def _finding(piece: SwitchSlice, message: str, why: Because | None = None) -> Diagnostic:
    where = why.paths[0] if why and why.paths else (piece.switch.fabric,)
    return Diagnostic(Code.WRITTEN_FACT, f"{piece.switch.name} {message}", path=where)


def examined(proofs: Iterable[Proof]) -> Examined:
    """Put the proofs of all switches together; alike findings are counted beyond the first ones."""
    count = 0
    found: list[Diagnostic] = []
    for proof in proofs:
        count += proof.agreeing
        found.extend(proof.findings)
    if len(found) > SHOWN:
        more = Diagnostic(
            Code.WRITTEN_FACT,
            f"{len(found) - SHOWN:,} more faults in rendered files",
            path=found[0].path,
        )
        found = [*found[:SHOWN], more]
    return Examined(check=NAME, objects=count, noun=NOUN, findings=tuple(found))
