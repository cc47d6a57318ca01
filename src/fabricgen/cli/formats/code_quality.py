"""Prints findings as a GitLab code quality report.

The report format is documented at https://docs.gitlab.com/ci/testing/code_quality/.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence

from fabricgen.api.findings import Finding
from fabricgen.core.diagnostics import Examined, Severity

_LEVEL = {Severity.ERROR: "blocker", Severity.WARNING: "major", Severity.NOTE: "info"}


def fingerprint(entry: Finding) -> str:
    """Return a digest that a finding keeps when it moves to another line."""
    words = f"{entry.code}|{entry.path}|{entry.message}"
    return hashlib.sha256(words.encode()).hexdigest()[:32]


def gitlab(entries: list[Finding], _: list[Examined], __: Sequence[Finding] = ()) -> str:
    """Return the open findings. Each entry must have a place (`entry.placed`).

    GitLab shows one finding for each fingerprint, so equal findings are numbered.
    """
    seen: Counter[str] = Counter()
    rows = []
    for entry in entries:
        mark = fingerprint(entry)
        seen[mark] += 1
        if seen[mark] > 1:
            mark = hashlib.sha256(f"{mark}|{seen[mark]}".encode()).hexdigest()[:32]
        rows.append(
            {
                "description": f"{entry.message}. {entry.hint}".rstrip(". ") + ".",
                "check_name": entry.code,
                "fingerprint": mark,
                "severity": _LEVEL[entry.severity],
                "location": {
                    "path": entry.file.removeprefix("./"),
                    "lines": {"begin": max(1, entry.line)},
                },
            }
        )
    return json.dumps(rows, indent=1) + "\n"
