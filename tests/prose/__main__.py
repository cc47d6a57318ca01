"""Run the check of the English: `python -m tests.prose [PATH ...]`.

Without a path, all files are checked and counted against ceilings.txt. With paths, each finding of
these files is printed. `--lower` writes the counts into ceilings.txt where they fell.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

from tests.prose import lint


def main(arguments: list[str]) -> int:
    """Print findings and return the exit code."""
    paths = [Path(argument).resolve() for argument in arguments if not argument.startswith("-")]
    if paths:
        found = lint.lint(_below(paths))
        _print(map(str, found))
        return bool(found)
    findings = lint.lint(lint.files())
    if "--lower" in arguments:
        _lower(findings)
    failures = list(lint.problems(findings, lint.load_ceilings()))
    if failures:
        _print([*failures, "list findings: python -m tests.prose FOLDER; lower ceilings: --lower"])
    return bool(failures)


def _print(lines: Iterable[str]) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)


def _below(paths: list[Path]) -> list[Path]:
    checked = list(lint.files())
    return [path for path in checked if any(path.is_relative_to(folder) for folder in paths)]


def _lower(findings: Iterable[lint.Finding]) -> None:
    before = lint.load_ceilings()
    counts = lint.count_findings(findings)
    rows = [
        f"{min(count, before.get(key, count)):>6}  {key[1]:<8}  {key[0]}\n"
        for key, count in sorted(counts.items())
    ]
    header = (
        "# Largest number of findings of `python -m tests.prose` by folder. A number only falls.\n"
    )
    lint.CEILINGS.write_text(header + "".join(rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
