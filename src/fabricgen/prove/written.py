"""Proves that every line of a switch's files has a source and every fact is right.

One switch of each type is read, and the others are compared with it. Only if something differs are
the files read again with line numbers. Then a finding can name the line and the design.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache

from fabricgen.core.diagnostics import Code, Diagnostic, Examined, Severity, shortened
from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.core.tree.facts import (
    TRUE,
    Attributes,
    Disagreement,
    Facts,
    Key,
    Reading,
    add,
    disagreements,
    settled,
)
from fabricgen.core.tree.table import ALWAYS
from fabricgen.core.tree.whole import FactReader, Judged
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.registry import nos
from fabricgen.nos.spelling import Names
from fabricgen.prove.alike import Alike, Own
from fabricgen.prove.designed import Expectation
from fabricgen.prove.invariants.laws import of_switch
from fabricgen.prove.invariants.switch import Switch
from fabricgen.prove.repeated import lacking, repeated
from fabricgen.prove.signature import places, signature

CHECK, NOUN = "written-facts", "objects read back"
UNCLAIMED = "no row of the grammar claims this line"
REMEMBERED = 512
"""Number of cached types of switches; a fabric has a dozen, with border leafs a few more."""
FILE = "file"
_STANDS: Attributes = {"stands": TRUE}
NOBODY = Judged("")
"""Reader of a file without a grammar."""


@record(kw_only=True)
class Proof:
    """Result for one switch: number of agreeing objects, and findings."""

    switch: str
    agreeing: int
    findings: tuple[Diagnostic, ...] = ()


def prove(switch_slice: SwitchSlice, files: Mapping[str, str], *, own: bool = False) -> Proof:
    """Compare the files of a switch, by their paths in its folder, with its design.

    `own`: custom templates rendered them, so an unclaimed line is only a warning.
    """
    judge = judge_of(switch_slice.switch.platform)
    if judge is None:
        return Proof(switch=switch_slice.switch.name, agreeing=0)
    proof = judge.prove(switch_slice, files)
    if not own:
        return proof
    findings = (
        replace(each, severity=Severity.WARNING) if each.message.endswith(UNCLAIMED) else each
        for each in proof.findings
    )
    return replace(proof, findings=tuple(findings))


class Judge:
    """Proves the switches of one platform.

    Most switches of a fabric differ from an already proven one only in names, addresses and ASNs.
    Such a switch is proven by comparing its files with the proven files after inserting its own
    values. If they differ, its files are read completely.
    """

    def __init__(self, grammars: Mapping[str, FactReader], names: Names) -> None:
        self.grammars, self.names = grammars, names
        self.about = frozenset(item for grammar in grammars.values() for item in grammar.about)
        self.expectation = Expectation(names, self.about)
        self._alike: list[Alike] = []
        self._repeated = repeated(grammars)

    def prove(self, switch_slice: SwitchSlice, files: Mapping[str, str]) -> Proof:
        """Compare the files of a switch with its design."""
        shape, own = signature(switch_slice, self.names)
        alike = next((each for each in self._alike if each.shape == shape), None)
        if alike is not None and alike.fits(own, files):
            return Proof(switch=switch_slice.switch.name, agreeing=alike.objects)
        wanted = self._wanted(switch_slice)
        proof = self.whole(switch_slice, files, wanted)
        if not proof.findings:
            self._learn(shape, Own(own, places(switch_slice, self.names), wanted), files)
        return proof

    def _learn(self, shape: list[Hashable], own: Own, files: Mapping[str, str]) -> None:
        """Store the files of a proven switch, if they contain each of its own values."""
        forms = {
            path: own.form(text, self.witness(path).spans(text, own.values))
            for path, text in files.items()
        }
        self._alike = [each for each in self._alike if each.shape != shape]
        if own.complete and len(self._alike) < REMEMBERED:
            self._alike.append(
                Alike(shape=shape, forms=forms, twins=own.twins, objects=own.objects)
            )

    def _wanted(self, switch_slice: SwitchSlice) -> Facts:
        """Return all required facts of a switch's files."""
        wanted = self.expectation.of(switch_slice)
        for path in self.expectation.files(switch_slice, self.grammars):
            wanted[FILE, path] = _STANDS
            wanted.update(self.witness(path).always)
        return wanted

    def whole(self, switch_slice: SwitchSlice, files: Mapping[str, str], wanted: Facts) -> Proof:
        """Read every line, and compare all facts."""
        written, strange = self.facts(files)
        seen = Switch(
            switch_slice.switch.name, switch_slice.switch.platform, dict(written), self.about
        )
        written |= {(FILE, path): _STANDS for path in files}
        wanted = settled(wanted, written)
        alone = [
            _finding(switch_slice, f"{path}: {said}") for path, said in self._lacking(files, wanted)
        ]
        if alone:
            return Proof(switch=switch_slice.switch.name, agreeing=0, findings=tuple(alone))
        if not strange and written == wanted:
            found = tuple(_unlawful(switch_slice, seen))
            return Proof(switch=switch_slice.switch.name, agreeing=len(wanted), findings=found)
        wrong = disagreements(wanted, written)
        return Proof(
            switch=switch_slice.switch.name,
            agreeing=len(wanted) - len({each.key for each in wrong}),
            findings=tuple(_findings(switch_slice, self, files, wrong)),
        )

    def _lacking(self, files: Mapping[str, str], wanted: Facts) -> list[tuple[str, str]]:
        """Return the facts that only one of two files states."""
        if not self._repeated:
            return []
        read = {path: (self.witness(path), self.read(path, text).facts)
                for path, text in files.items()}  # fmt: skip
        return list(lacking(wanted, self._repeated, read))

    def facts(self, files: Mapping[str, str]) -> tuple[Facts, list[str]]:
        """Return the facts of all files, and the paths of those with an unclaimed line."""
        facts: Facts = {}
        strange = []
        for path, text in files.items():
            reading = self.read(path, text)
            strange += [path] * bool(reading.unclaimed)
            for key, attributes in reading.facts.items():
                add(facts, key, attributes)
        return facts, strange

    def witness(self, path: str) -> FactReader:
        """Return the reader of a file; a final star matches the files of a folder."""
        folder = path.rpartition("/")[0]
        return self.grammars.get(path) or self.grammars.get(f"{folder}/*") or NOBODY

    def read(self, path: str, text: str, *, trace: bool = False) -> Reading:
        """Read a file; in the facts of a folder's files a star becomes the name of the file."""
        witness = self.witness(path)
        reading = witness.trace(text) if trace else witness.read(text)
        if path in self.grammars or witness is NOBODY:
            return reading
        name = path.rpartition("/")[2]

        def own(key: Key) -> Key:
            return tuple(name if part == "*" else part for part in key)

        return Reading(
            {own(key): value for key, value in reading.facts.items()},
            reading.unclaimed,
            {(own(key), word): lines for (key, word), lines in reading.lines.items()},
        )


@cache
def judge_of(platform: str) -> Judge | None:
    """Return the `Judge` of a platform; None without a grammar."""
    runs = nos(platform)
    if runs.grammar is None or runs.names is None:
        return None
    return Judge(runs.grammar.load(), runs.names)


def _unlawful(switch_slice: SwitchSlice, switch: Switch) -> Iterator[Diagnostic]:
    """Yield the laws that a single switch breaks."""
    for law, each in of_switch(switch):
        yield Diagnostic(law.code, each.said, severity=each.severity, path=switch_slice.place)


def _findings(
    switch_slice: SwitchSlice, judge: Judge, files: Mapping[str, str], wrong: list[Disagreement]
) -> Iterator[Diagnostic]:
    places: dict[tuple[Key, str], str] = {}
    for path, text in files.items():
        if judge.witness(path) is NOBODY:
            yield _finding(switch_slice, f"{path}: no grammar reads this file")
            continue
        reading = judge.read(path, text, trace=True)
        for number, line in reading.unclaimed:
            yield _finding(switch_slice, f"{path}:{number} `{line.strip()}`: {UNCLAIMED}")
        places.update(_places(path, text, reading))
    objects = judge.expectation.objects(switch_slice)
    reasons = {each.key: each.because for each in objects if each.because is not None}
    far_ends = judge.expectation.far_ends(switch_slice)
    for each in wrong:
        if each.key[0] == FILE:
            if each.witnessed is None:
                yield _finding(switch_slice, f"{each.key[1]}: this file is missing")
            elif judge.witness(each.key[1]) is not NOBODY:
                yield _finding(switch_slice, f"{each.key[1]}: this file is not in the design")
            continue
        why = reasons.get(each.key)
        where = places.get((each.key, each.attribute)) or _speakers(judge, files, each)
        yield _finding(switch_slice, f"{where}: {_sentence(each, far_ends.get(each.key, ''))}", why)


def _speakers(judge: Judge, files: Iterable[str], each: Disagreement) -> str:
    """Return the files that could state a fact which none of them states."""
    topic = (each.key[0], each.attribute)
    able = [
        path
        for path in files
        for witness in (judge.witness(path),)
        if each.key in witness.always or (each.key[0] != ALWAYS and topic in witness.about)
    ]
    return ", ".join(able or files)


def _places(path: str, text: str, reading: Reading) -> dict[tuple[Key, str], str]:
    """Return the place of each fact: the line that states it, and its number."""
    rows = text.split("\n")
    return {
        fact: f"{path}:{numbers[0]} `{rows[numbers[0] - 1].strip()}`"
        for fact, numbers in reading.lines.items()
        if numbers
    }


def _sentence(each: Disagreement, far: str) -> str:
    if each.key[0] == ALWAYS:
        return f"the line `{each.key[1]}` is missing"
    return each.sentence(far)


def _finding(switch_slice: SwitchSlice, message: str, why: Provenance | None = None) -> Diagnostic:
    where = why.paths[0] if why and why.paths else switch_slice.place
    return Diagnostic(Code.WRITTEN_FACT, f"{switch_slice.switch.name} {message}", path=where)


def examined(proofs: Iterable[Proof]) -> Examined:
    """Combine the proofs of all switches; equal findings are counted beyond the first ones."""
    count = 0
    every: list[Diagnostic] = []
    for proof in proofs:
        count += proof.agreeing
        every.extend(proof.findings)
    findings = shortened(every, "faults in rendered files")
    return Examined(check=CHECK, objects=count, noun=NOUN, findings=findings)
