"""Parses the cells of an inventory row to names, numbers and addresses, or reports why not.

A cell that a spreadsheet would run as a formula is always refused (OWASP, CSV Injection), because
its text becomes a line of configuration.
"""

import ipaddress
import re
from collections.abc import Callable
from decimal import Decimal
from typing import TypeVar

from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.importer.inventory.kinds import Kind
from fabricgen.importer.inventory.rows import Row, Say

FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""First characters of a formula."""
LONGEST = 200
"""Characters of a cell that are read."""
_NAME = re.compile(r"(?=.{1,253}\Z)[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")
_METERS = {
    "m": "1",
    "cm": "0.01",
    "km": "1000",
    "mi": "1609.344",
    "ft": "0.3048",
    "in": "0.0254",
    "meters": "1",
    "centimeters": "0.01",
    "kilometers": "1000",
    "miles": "1609.344",
    "feet": "0.3048",
    "inches": "0.0254",
}
"""By NetBox's units and their words (CableLengthUnitChoices in netbox/dcim/choices.py)."""
T = TypeVar("T")


class Refused(Exception):  # noqa: N818 - a sentence on its way to a Diagnostic
    """A cell is invalid."""


class Cells:
    """One row by column. An invalid cell is left out and reported."""

    def __init__(self, kind: Kind, row: Row, say: Say) -> None:
        """Store a row of a kind of things."""
        self.kind, self.row, self.say = kind, row, say
        self.whole = True

    def raw(self, column: str) -> tuple[str, str]:
        """Return the name of a column in this file, and its text or an empty text."""
        said = self.row.said
        found = ((name, said[name]) for name in self.kind.columns[column] if name in said)
        return next(found, ("", ""))

    def read(self, column: str, reader: Callable[[str], T]) -> T | None:
        """Return the parsed value of a cell. A required cell without a value spoils the row."""
        name, text = self.raw(column)
        needed = column in self.kind.needed
        if not text:
            if needed:
                self.spoil(f"{column.replace('_', ' ')} is missing", severity=Severity.WARNING)
            return None
        try:
            return reader(harmless(text))
        except Refused as why:
            what = f"{column.replace('_', ' ')}: {why}"
            if needed:
                self.spoil(what, name)
            else:
                self.report(f"{what}; the cell is ignored", name, Severity.WARNING)
            return None

    def spoil(self, why: str, name: str = "", severity: Severity = Severity.ERROR) -> None:
        """Report why a row is left out."""
        self.whole = False
        self.report(f"{why}; the row is ignored", name, severity)

    def report(self, why: str, name: str, severity: Severity) -> None:
        """Report an invalid cell."""
        what, place = f"{self.row.what}{why}", self.row.at(name)
        self.say(Diagnostic(Code.INVENTORY_VALUE, what, severity=severity, position=place))

    def text(self, column: str) -> str | None:
        """Return a text of one line."""
        return self.read(column, str)

    def name(self, column: str) -> str | None:
        """Return a valid host name."""
        return self.read(column, host_name)

    def number(self, column: str, least: int, most: int) -> int | None:
        """Return an integer within bounds."""
        return self.read(column, lambda text: whole(text, least, most))

    def host(self, column: str) -> str | None:
        """Return an address without its length."""
        return self.read(column, lambda text: str(interface(text).ip))


def harmless(text: str) -> str:
    """Return a text that a file may contain.

    Raises:
        Refused: The text is a formula or has unprintable characters.
    """
    if text.startswith(FORMULA):
        raise Refused(f"{_short(text)} begins like a formula")
    if len(text) > LONGEST:
        raise Refused(f"{len(text):,} characters are too many for a name, number or address")
    if not text.isprintable():
        raise Refused(f"{_short(text)} has unprintable characters")
    return text


def _short(text: str) -> str:
    return repr(text if len(text) < 40 else text[:36] + "…")


def host_name(text: str) -> str:
    """Return a host name.

    Raises:
        Refused: No host can have the name.
    """
    if not _NAME.fullmatch(text):
        raise Refused(f"{_short(text)} is not a valid host name")
    return text


def whole(text: str, least: int, most: int) -> int:
    """Parse an integer.

    NetBox has half rack units and prints `12.0`. ASNs may have two halves, `64512.1` (RFC 5396).

    Raises:
        Refused: The text is not an integer, or out of bounds.
    """
    match = re.fullmatch(r"([0-9]{1,12})(?:\.([0-9]{1,5}))?", text)
    halves = (int(match[1]), int(match[2] or 0)) if match else (-1, 0)
    value = halves[0] if not halves[1] else (halves[0] << 16) + halves[1]
    if not least <= value <= most or (halves[1] and most < 2**32 - 1):
        raise Refused(f"{_short(text)} is not a number from {least} to {most}")
    return value


def interface(text: str) -> ipaddress.IPv4Interface | ipaddress.IPv6Interface:
    """Parse an address with or without a length."""
    try:
        return ipaddress.ip_interface(text.partition(" ")[0])
    except ValueError:
        raise Refused(f"{_short(text)} is not an IP address") from None


def meters(text: str, unit: str | None) -> Decimal:
    """Parse a length: a number with an optional unit. The default is meters."""
    match = re.fullmatch(r"([0-9]{1,7}(?:\.[0-9]{1,4})?) *([A-Za-z]*)", text)
    factor = _METERS.get(((match[2] if match else "") or unit or "m").lower())
    if match is None or factor is None:
        raise Refused(f"{_short(text)} is not a length such as 15, 15 m or 6.5 ft")
    return (Decimal(match[1]) * Decimal(factor)).quantize(Decimal("0.01"))
