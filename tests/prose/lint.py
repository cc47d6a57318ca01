"""Check the English of the repository against rules.yml, and count findings per folder."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
from tests.prose.texts import Text, texts_of

ROOT = Path(__file__).parents[2]
RULES = Path(__file__).with_name("rules.yml")
CEILINGS = Path(__file__).with_name("ceilings.txt")
# A sentence ends at a full stop, a blank line, a list item, or an entry of a docstring section.
SENTENCES = re.compile(
    r"(?<=[.!?])[)\"']?\s+(?=[\"'(`A-Z\d])|\n\s*\n|\n\s*(?=[-*] )|\n\s+(?=`?\w+(?:, \w+)*`?: )"
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One place in a text that breaks a rule."""

    path: Path
    line: int
    rule: str
    severity: str
    words: str
    advice: str

    def __str__(self) -> str:
        where = f"{self.path.relative_to(ROOT)}:{self.line}"
        return f"{where}: {self.severity} {self.rule}: '{self.words}': {self.advice}"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of rules.yml with its patterns compiled."""

    name: str
    severity: str
    kinds: tuple[str, ...]
    advice: str
    phrases: tuple[tuple[re.Pattern[str], str], ...] = ()
    opening: re.Pattern[str] | None = None
    counted: re.Pattern[str] | None = None
    most: int = 0

    def hits(self, sentence: str) -> Iterator[tuple[str, str]]:
        """Yield the words that break the rule and the advice for them."""
        for pattern, instead in self.phrases:
            for found in pattern.finditer(sentence):
                yield found[0], self.advice.format(use=instead)
        if self.opening and (opening := self.opening.match(sentence)):
            yield opening[0], self.advice
        if self.counted and (count := len(self.counted.findall(sentence))) > self.most:
            yield sentence[:50], self.advice.format(count=count)


def load_rules(path: Path = RULES) -> list[Rule]:
    """Read the rules and compile their patterns.

    Args:
        path: A YAML file like rules.yml.

    """
    return [_rule(name, keys) for name, keys in yaml.safe_load(path.read_text()).items()]


def _rule(name: str, keys: dict[str, Any]) -> Rule:
    uses = keys.get("use", {}) | dict.fromkeys(keys.get("avoid", ()), "")
    opening = keys.get("sentence") or keys.get("heading")
    return Rule(
        name=name,
        severity=keys["severity"],
        kinds=tuple(keys.get("in", ("prose", "comment"))),
        advice=keys["advice"],
        phrases=tuple(
            (re.compile(rf"(?<![\w-])(?:{pattern})(?![\w-])", re.IGNORECASE), instead)
            for pattern, instead in uses.items()
        ),
        opening=re.compile(opening) if opening else None,
        counted=re.compile(keys["word"]) if "word" in keys else None,
        most=keys.get("most", 0),
    )


def check(path: Path, text: Text, rules: Iterable[Rule]) -> Iterator[Finding]:
    """Yield each finding of one text.

    Args:
        path: The file of the text.
        text: The text.
        rules: The rules to apply. A rule for other kinds of text is skipped.

    """
    sentences = [part.strip() for part in SENTENCES.split(text.words) if part and part.strip()]
    for rule in rules:
        if text.kind not in rule.kinds:
            continue
        for sentence in sentences:
            for words, advice in rule.hits(sentence):
                yield Finding(path, text.line, rule.name, rule.severity, words, advice)


def files() -> Iterator[Path]:
    """Yield the files whose English is checked."""
    yield from ROOT.glob("*.md")
    yield from sorted((ROOT / "docs").rglob("*.md"))
    yield from sorted((ROOT / "src").rglob("*.py"))
    yield from sorted((ROOT / "src/fabricgen/nos").rglob("capabilities.yaml"))
    yield from sorted((ROOT / "src/fabricgen/nos").rglob("risk.txt"))
    yield from sorted((ROOT / "src/fabricgen/intent").rglob("*.yaml"))
    yield from sorted((ROOT / "intent").rglob("*.yaml"))


def lint(paths: Iterable[Path]) -> list[Finding]:
    """Check files against all rules.

    Args:
        paths: Markdown, Python or YAML files below the repository.

    """
    rules = load_rules()
    return [
        found for path in paths for text in texts_of(path) for found in check(path, text, rules)
    ]


def count_findings(findings: Iterable[Finding]) -> Counter[tuple[str, str]]:
    """Count findings by (folder, severity)."""
    return Counter((folder_of(found.path), found.severity) for found in findings)


def folder_of(path: Path) -> str:
    """Return the folder that counts the findings of a file."""
    parts = path.relative_to(ROOT).parts
    if parts[0] == "src":
        return "/".join(parts[:3])
    return "/".join(parts[: min(2, len(parts) - 1)]) or parts[0]


def load_ceilings(path: Path = CEILINGS) -> dict[tuple[str, str], int]:
    """Read the largest number of findings by (folder, severity)."""
    rows = (line.split() for line in path.read_text().splitlines() if not line.startswith("#"))
    return {(folder, severity): int(most) for most, severity, folder in rows}


def problems(findings: Iterable[Finding], ceilings: dict[tuple[str, str], int]) -> Iterator[str]:
    """Yield a sentence for each folder whose count differs from its ceiling."""
    counts = count_findings(findings)
    for key in sorted(counts.keys() | ceilings.keys()):
        count, most = counts[key], ceilings.get(key, 0)
        folder, severity = key
        if count > most:
            yield f"{folder}: {count} findings of severity {severity}, the ceiling is {most}"
        elif count < most:
            yield f"{folder}: lower the ceiling of severity {severity} from {most} to {count}"
