"""Represents one switch of foreign files, and makes findings that name places in them."""

import re
from collections.abc import Iterator
from functools import cached_property

from fabricgen.core.diagnostics import Code, Diagnostic, Position, Severity
from fabricgen.core.tree.facts import Attributes, Facts, Key, Value, add
from fabricgen.core.tree.whole import FactReader
from fabricgen.nos.registry import nos
from fabricgen.prove.filed import Filed
from fabricgen.prove.foreign.folder import Found
from fabricgen.prove.walk.tables import Tables, tables
from fabricgen.prove.walk.values import InvalidValue, is_bad, text, words
from fabricgen.prove.written import Judge

# Facts with invalid values (for example a malformed address) are removed and reported, so later
# code can rely on the rest.

KINDS = frozenset(
    {"switch", "interface", "vlan", "vni", "vrf", "bgp", "session", "vtep", "pair", "listens"}
    | {"neighbor"}
)
"""The checked facts."""
_LEFT = frozenset(
    {"in", "out", "evpn-in", "evpn-out", "connected", "taken", "told", "connected-by", "takes"}
    | {"paths", "maximum-paths"}
)
"""Attributes that are not checked."""
_NOT_OWN = ("unnumbered ", "dhcp")
"""Prefix of an address that another port provides, or DHCP: it is not in the files."""
_ASN = re.compile(r"\d+(?:\.\d+)?")


class Judged(Filed):
    """One switch of a folder."""

    def __init__(self, found: Found, *, wide: bool = True) -> None:
        """Read its files. `wide`: retain every fact, not only the checked ones."""
        super().__init__(found.name, found.platform, found.texts, found.places)
        self.found, self.wide = found, wide
        runs = nos(found.platform)
        assert runs.foreign is not None
        assert runs.names is not None
        self.take(Judge(runs.foreign.load().grammar, runs.names), {})
        self.odd: list[InvalidValue] = []
        self._strange: set[str] = set()
        for key, own in self._facts().items():
            self._keep(key, own)
        switch = self.facts.get(("switch",), {})
        self.name = text(switch.get("hostname")) or text(switch.get("own-name")) or found.name
        self.tables: Tables = tables(self.name, self.facts)
        self.asn = number(self.tables.asn or text(switch.get("asn")))

    def _facts(self) -> Facts:
        facts: Facts = {}
        for path, content in self.found.texts.items():
            reading = self._reader.read(path, content)
            self._strange |= {path} if reading.unclaimed else set()
            for key, own in reading.facts.items():
                if self.wide or key[0] in KINDS:
                    add(facts, key, own)
        return facts

    def _keep(self, key: Key, own: Attributes) -> None:
        """Save the checked attributes with valid values."""
        if is_bad(key, "", key[-1]):
            self.odd.append(InvalidValue(key=key, attribute="", value=key[-1]))
            return
        kept: Attributes = {}
        for name, value in own.items():
            odd = [each for each in words(value) if is_bad(key, name, str(each))]
            self.odd += [
                InvalidValue(key=key, attribute=name, value=str(each))
                for each in odd
                if name != "address" or not str(each).startswith(_NOT_OWN)
            ]
            if self.wide or name not in _LEFT or (key[0], name) == ("vrf", "connected"):
                kept |= {name: _without(value, odd)} if odd else {name: value}
        self.facts[key] = {name: value for name, value in kept.items() if value != ()}

    @cached_property
    def unclaimed(self) -> dict[str, list[tuple[int, str]]]:
        """The unclaimed lines, by the path of the file."""
        return {path: self.traced(path).unclaimed for path in self._strange}

    def by_file(self) -> dict[str, tuple[FactReader, Facts]]:
        """Return the reader of each file and the facts of the file."""
        reader = self._reader
        return {
            path: (reader.witness(path), reader.read(path, text).facts)
            for path, text in self.found.texts.items()
        }

    def listens(self) -> Iterator[tuple[str, str]]:
        """Yield the prefixes from which sessions are accepted, with the peer group."""
        for key, own in self.facts.items():
            if key[0] == "listens":
                yield key[1], text(own.get("group"))


def _without(value: Value, odd: list[str]) -> Value:
    return tuple(each for each in words(value) if each not in odd)


def number(asn: str) -> int | None:
    """Return an ASN: as a number, or as two with a dot (RFC 5396); None for other text."""
    if not _ASN.fullmatch(asn) or len(asn) > len("65535.65535"):
        return None
    high, dot, low = asn.partition(".")
    return int(high) * 65536 + int(low) if dot else int(high)


def told(place: Position) -> str:
    """Return a place as file:line."""
    return f"{place.file}:{place.line}"


def finding(
    code: Code,
    said: str,
    place: Position,
    *others: Position,
    severity: Severity = Severity.ERROR,
    hint: str = "",
) -> Diagnostic:
    """Return a finding at a place; at most four others follow the sentence."""
    where = ", ".join(told(each) for each in others[:4])
    more = f" and {len(others) - 4} more" if len(others) > 4 else ""
    message = f"{said} [{where}{more}]" if where else said
    return Diagnostic(code, message, severity=severity, hint=hint, position=place)
