"""Names printed from coordinates, by the patterns of the intent; never read back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.diagnostics import Code, IntentPath
from fabricgen.intent.model.vocabulary import fill, pattern_words

if TYPE_CHECKING:
    from fabricgen.design.findings import Findings


def check_pattern(pattern: str, known: set[str], path: IntentPath, findings: Findings) -> None:
    """Report words of a name pattern that do not exist for this kind of object."""
    for word in sorted(pattern_words(pattern) - known):
        findings.error(
            Code.BAD_VALUE,
            f"no word {word!r} in this name pattern",
            path,
            f"words here: {', '.join(sorted(known))}",
        )


class Namer:
    """Fills one pattern; the site's name is a word everywhere."""

    def __init__(self, pattern: str, site: str) -> None:
        """Keep the pattern and the site's name."""
        self.pattern, self.site = pattern, site

    def __call__(self, **words: str | int) -> str:
        """Return the name for these coordinates."""
        return fill(self.pattern, {"site": self.site, **words})
