"""Resolves secrets just before a load, and hides them after it."""

import html
import json
import re
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NoReturn
from urllib.parse import quote

from fabricgen.model.fabric.services import SPELLED
from fabricgen.model.settings.setting import PLACEHOLDER, placeholder
from fabricgen.operate.deploy.secrets.messages import Found, NoSecret, Unresolved
from fabricgen.operate.deploy.secrets.providers import provider

SHORTEST = 4
"""Characters of the shortest value that can be hidden."""
_WORD = re.compile(r"[!-~]+")
_BREAKING = "\"'`\\?|;{}<>"
"""What ends a word, or begins something else, in one of the targets: a string of JSON, a key of
CONFIG_DB (`|`), help in EOS (`?`), a statement of Junos (`;{}`), a placeholder (`<>`)."""


class Secrets:
    """The values behind the placeholders of some texts. Nothing that prints it shows one."""

    __slots__ = ("_hidden", "_pattern", "_values", "warnings")

    def __init__(self, texts: Iterable[str], site: Path, *, logins: Iterable[str] = ()) -> None:
        """Resolve every reference that the texts hold; Unresolved names all that cannot be.

        logins: references of passwords. They go into no configuration, so they may hold any sign.
        warnings: sentences about how some are kept.
        """
        written = {secret for text in texts for secret in PLACEHOLDER.findall(text)}
        faults: list[str] = []
        warnings: list[str] = []
        self._values: dict[str, str] = {}
        for reference in sorted(written | set(logins)):
            secret = _resolved(reference, site)
            judge = _unwritable if reference in written else _unusable
            wrong = secret if isinstance(secret, str) else judge(secret.value)
            if isinstance(secret, str) or wrong:
                faults.append(f"{SPELLED.sub('', reference)}: {wrong}")
                continue
            self._values[reference] = secret.value
            warnings += [f"{reference}: {secret.warning}"] if secret.warning else []
        if faults:
            self._values.clear()
            raise Unresolved(tuple(dict.fromkeys(faults)))
        self.warnings = tuple(warnings)
        self._hidden = _spellings(self._values)
        longest_first = sorted(self._hidden, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, longest_first)) or r"(?!)")

    def reveal(self, text: str) -> str:
        """Put the values in; what comes out goes to a switch and nowhere else.

        KeyError for a placeholder that none of the texts had.
        """
        return PLACEHOLDER.sub(lambda match: self._values[match[1]], text)

    def value(self, reference: str) -> str:
        """Return one value, as a password to log in with; KeyError when it was not asked for."""
        return self._values[reference]

    def hide(self, text: str) -> str:
        """Put the placeholders back, wherever a value stands; longer values first."""
        return self._pattern.sub(lambda match: self._hidden[match[0]], text)

    def trace(self, error: BaseException) -> str:
        """Return the traceback of an exception and of its causes, hidden."""
        return self.hide("".join(traceback.format_exception(error)))

    def __repr__(self) -> str:
        return f"<Secrets: {len(self._values)}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("secrets stay in the memory of one process: they are not pickled")


def _resolved(reference: str, site: Path) -> Found | str:
    """Return the value of a reference, or why there is none.

    A sentence, not an exception: the one of a provider may hold the value and would be the
    context of ours.
    """
    scheme, _, rest = reference.partition(":")
    try:
        secret: object = provider(scheme)(rest, site)
    except NoSecret as why:
        return str(why)
    except Exception as error:  # noqa: BLE001 - a stranger's code; its text may quote the value
        return f"its provider fails: {type(error).__name__}"
    if isinstance(secret, Found) and isinstance(secret.value, str):
        return secret
    return "its provider does not return a Found with text"


def _unusable(value: str) -> str:
    """Say why a value cannot be hidden again, or is none; empty when it can."""
    if not value:
        return "the value is empty"
    if len(value) < SHORTEST:
        return f"the value has less than {SHORTEST} characters: hiding it would shred every text"
    if not value.isprintable() or value.strip() != value:
        return "the value holds a line end or control character, or begins or ends in spaces"
    return ""


def _unwritable(value: str) -> str:
    """Say why a value cannot stand in a configuration either."""
    if wrong := _unusable(value):
        return wrong
    if not _WORD.fullmatch(value):
        return "the value is not one word of ASCII: a space or another character is in it"
    if value[0] in "#!" or set(value) & set(_BREAKING):
        return f"the value starts with # or !, or holds one of {' '.join(_BREAKING)}"
    return ""


def _spellings(values: dict[str, str]) -> dict[str, str]:
    """Return what to look for, in each spelling, and the placeholder that takes its place.

    Of references with the same value the first one is named: which was meant cannot be told.
    """
    spellings: dict[str, str] = {}
    for reference, value in values.items():
        for spelling in (value, *(spell(value) for spell in _SPELLINGS)):
            spellings.setdefault(spelling, placeholder(reference))
    return spellings


_SPELLINGS: tuple[Callable[[str], str], ...] = (
    html.escape,
    quote,
    lambda value: quote(value, safe=""),
    lambda value: json.dumps(value)[1:-1],
    lambda value: repr(value)[1:-1],
    lambda value: " ".join(value.split()),
)
