"""Resolve secrets just before a load, and hide them in the output after it."""

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
"""Shortest value that can be hidden, in characters."""
_WORD = re.compile(r"[!-~]+")
_BREAKING = "\"'`\\?|;{}<>"
"""Characters with a meaning in a target: JSON string, key of CONFIG_DB (`|`), help in EOS (`?`),
statement of Junos (`;{}`), placeholder (`<>`).
"""


class Secrets:
    """The values behind the placeholders of some texts. Its printed form shows no value."""

    __slots__ = ("_hidden", "_pattern", "_values", "warnings")

    def __init__(self, texts: Iterable[str], site: Path, *, logins: Iterable[str] = ()) -> None:
        """Resolve all references in the texts.

        Args:
            texts: Rendered texts with placeholders.
            site: Folder of the site.
            logins: References to passwords. A password is never rendered, so all characters are
                allowed.

        Raises:
            Unresolved: Some references cannot be resolved; the exception names all of them.
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
        """Replace placeholders by values. Send the result to a switch only.

        Raises:
            KeyError: The placeholder is in none of the texts.
        """
        return PLACEHOLDER.sub(lambda match: self._values[match[1]], text)

    def value(self, reference: str) -> str:
        """Return one value, for example a login password.

        Raises:
            KeyError: The reference was not resolved.
        """
        return self._values[reference]

    def hide(self, text: str) -> str:
        """Replace each value by its placeholder, longer values first."""
        return self._pattern.sub(lambda match: self._hidden[match[0]], text)

    def trace(self, error: BaseException) -> str:
        """Return the traceback of an exception and its causes without secret values."""
        return self.hide("".join(traceback.format_exception(error)))

    def __repr__(self) -> str:
        return f"<Secrets: {len(self._values)}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("secrets stay in the memory of one process: they cannot be pickled")


def _resolved(reference: str, site: Path) -> Found | str:
    """Return the value of a reference, or a sentence why it has none.

    An exception of a provider may contain the value and would become the context of ours.
    """
    scheme, _, rest = reference.partition(":")
    try:
        secret: object = provider(scheme)(rest, site)
    except NoSecret as why:
        return str(why)
    except Exception as error:  # noqa: BLE001 - third-party code; its text may quote the value
        return f"the provider failed: {type(error).__name__}"
    if isinstance(secret, Found) and isinstance(secret.value, str):
        return secret
    return "the provider did not return a Found with text"


def _unusable(value: str) -> str:
    """Return why a value is empty or cannot be hidden; empty when it can be hidden."""
    if not value:
        return "the value is empty"
    if len(value) < SHORTEST:
        return f"the value has fewer than {SHORTEST} characters and cannot be hidden in output"
    if not value.isprintable() or value.strip() != value:
        return "the value contains a control character, or starts or ends with a space"
    return ""


def _unwritable(value: str) -> str:
    """Return why a value cannot be written into a configuration; empty when it can."""
    if wrong := _unusable(value):
        return wrong
    if not _WORD.fullmatch(value):
        return "the value is not one ASCII word: remove spaces and other characters"
    if value[0] in "#!" or set(value) & set(_BREAKING):
        return f"the value starts with # or !, or contains one of {' '.join(_BREAKING)}"
    return ""


def _spellings(values: dict[str, str]) -> dict[str, str]:
    """Return each spelling of a value and its placeholder.

    The first of several references with the same value is shown, because the text does not
    distinguish them.
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
