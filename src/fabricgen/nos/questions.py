"""Define questions to a running switch as data, and the answer to each one.

A question is one read-only command. A platform encodes all questions of a look to one request: a
shell script, or one batch of eAPI commands. A recording holds the answers by key, so that a parser
reads a recorded switch like a running one.
"""

import json
from collections.abc import Iterable, Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any, NamedTuple

from fabricgen.core.record import record
from fabricgen.core.tree.facts import Facts, Key


class Question(NamedTuple):
    """One read-only command. `key`: name of its answer, and of its file in a recording.

    Attributes:
        line: The command, of a shell or of eAPI.
        revision: Revision of the answer's model (eAPI). 0: the only one.
        text: Whether the answer is text although other answers are JSON (eAPI).
        slow: Whether the command costs the switch much, so that a fast look omits it.
        parts: Parts of the state (`Part` of nos/show.py) that its answer serves. Empty: any part,
            so that every look asks it.
    """

    key: str
    line: str
    revision: int = 0
    text: bool = False
    slow: bool = False
    parts: tuple[str, ...] = ()


PATH = "path"
"""Kind of a fact about the route to one address: `("path", VRF, ADDRESS)`.

An expected fact of this kind asks a switch for that route. Its attributes are empty. The observed
fact has `prefix`, `ports`, `via` (the next hops, which are VTEPs in a tenant's VRF), and `effect`
where packets do not leave (`no route`, `blackhole`).
"""


def path_key(vrf: str, address: str) -> Key:
    """Return the key of the route to an address in a VRF."""
    return PATH, vrf, address


def asked_paths(expected: Facts) -> Iterable[tuple[str, IPv4Address | IPv6Address]]:
    """Yield the VRF and the address of each route that the expected facts ask for."""
    return ((key[1], ip_address(key[2])) for key in expected if key[0] == PATH)


LOST = -1
"""Status of an answer that a recording has lost. Its text is the reason."""


class UnreadableError(Exception):
    """An unreadable answer; the text is the reason."""


@record()
class Answer:
    """Output of a command, its exit status, and its duration on the switch if known."""

    text: str
    status: int = 0
    seconds: float | None = None

    def document(self, empty: Any) -> Any:
        """Return the one JSON document; `empty` if there is no output, as in FRR."""
        text = self.text.strip()
        if not text and not self.status:
            return empty
        self.require()
        if not text.startswith(("[", "{")):
            raise UnreadableError(self._said())
        try:
            value, end = json.JSONDecoder().raw_decode(text)
        except ValueError as error:
            raise UnreadableError(f"invalid JSON: {error}") from error
        if type(value) is not type(empty):
            raise UnreadableError(f"unexpected JSON {type(value).__name__}")
        if text[end:].strip():
            raise UnreadableError(f"text after the JSON: {text[end:].strip().splitlines()[0]!r}")
        return value

    def require(self) -> None:
        """Raise UnreadableError if a recording has lost the answer."""
        if self.status == LOST:
            raise UnreadableError(self.text)

    def _said(self) -> str:
        lines = self.text.strip().splitlines()
        return lines[0] if lines else f"no output, exit status {self.status}"


Answers = Mapping[str, Answer]
"""Answers by the key of their question."""
