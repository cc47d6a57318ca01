"""How configurations that nobody here wrote are recognised and read, as each platform says it."""

import re
from collections.abc import Callable, Mapping
from dataclasses import field

from fabricgen.core.record import record
from fabricgen.core.tree.whole import Witness


@record(kw_only=True)
class Foreign:
    """Who reads the files of any switch of a platform.

    signs: by the path that a file has on such a switch, what the text of one has and others have
    not. grammar: by path, our own lines and those of others that bear on what is judged. ordered:
    by path, what puts a text into the form that its platform prints, line for line. unsaved: facts
    of rendered lines that a saved configuration leaves out, as they are defaults: kind, attribute
    (of a line that is always there its text), value.
    """

    signs: Mapping[str, re.Pattern[str]]
    grammar: Mapping[str, Witness]
    ordered: Mapping[str, Callable[[str], str]] = field(default_factory=dict)
    unsaved: frozenset[tuple[str, str, object]] = frozenset()

    def path(self, text: str) -> str:
        """Return the path that a file has, by its text; nothing where it is none of these."""
        return next((path for path, sign in self.signs.items() if sign.search(text)), "")
