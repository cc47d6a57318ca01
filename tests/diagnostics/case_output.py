"""Splits the output of a case into the findings of its own code and the codes beside them."""

import re

_FINDING = re.compile(r"(?:\S+:[0-9]+:[0-9]+ )?(FG[0-9]{3}) ")
_TOTALS = re.compile(
    r"(?:[0-9,]+ (?:error|warning|note|acknowledged)\w*(?:, |$))+"
    r"|[0-9,]+ checks? examined [0-9,]+ objects?"
    r"|(?:understood|used): [0-9.]+ %.*"
    r"|.* …"
)
"""Lines that count all findings, checks or lines, and lines of progress."""


def own_lines(output: str, code: str) -> str:
    """Return the output without the findings of other codes and without totals.

    A new check then changes only the case of its own code. tests/cli/formats has the totals.
    """
    kept: list[str] = []
    is_own = True
    for line in output.splitlines(keepends=True):
        if found := _FINDING.match(line):
            is_own = found[1] == code
        elif not line.startswith(" "):
            is_own = _TOTALS.fullmatch(line.rstrip("\n")) is None
        if is_own:
            kept.append(line)
    return "".join(kept)


def other_codes(output: str, code: str) -> list[str]:
    """Return the other codes that the output has findings of, in order."""
    codes = {found[1] for line in output.splitlines() if (found := _FINDING.match(line))}
    return sorted(codes - {code})
