"""Reads the prices in `catalog/prices.csv` and reports invalid lines.

The file is a saved spreadsheet: a heading, then part, price and currency in each line.
"""

import csv
import re
from collections.abc import Iterator
from decimal import Decimal
from io import StringIO

from fabricgen.core.diagnostics import Code, Diagnostic, Position
from fabricgen.model.catalog.prices import PriceList

HEADING = ["part", "price", "currency"]
MOST_ERRORS = 100
"""A file of another kind is said to be one soon."""
_PRICE = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]{1,4})?")
_CURRENCY = re.compile("[A-Z]{3}")


class _Refused(Exception):  # noqa: N818 - a sentence on its way to a Diagnostic
    """Why a line is not taken."""


def price_list(file: str, text: str) -> tuple[PriceList, list[Diagnostic]]:
    """Read a list; a line that is refused is left out and said, with its place in the file."""
    findings: list[Diagnostic] = []
    prices: dict[str, Decimal] = {}
    places: dict[str, Position] = {}
    currencies: list[str] = []
    for line, row in _rows(file, text, findings):
        try:
            part, price, currency = _read(row)
            _fits(part, currency, places, currencies)
        except _Refused as why:
            findings.append(_said(file, line, str(why)))
            if len(findings) == MOST_ERRORS:
                break
            continue
        currencies.append(currency)
        prices[part], places[part] = price, Position(file, line, 1)
    currency = currencies[0] if currencies else ""
    return PriceList(currency=currency, prices=prices, places=places), findings


def _rows(file: str, text: str, findings: list[Diagnostic]) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines below the heading with their numbers; empty ones are passed by."""
    reader = csv.reader(StringIO(text, newline=""), strict=True)
    try:
        if [cell.strip().lower() for cell in next(reader, [])] != HEADING:
            heading = ",".join(HEADING)
            findings.append(_said(file, 1, f"the first line of a list of prices is `{heading}`"))
            return
        yield from ((reader.line_num, row) for row in reader if any(map(str.strip, row)))
    except csv.Error as error:
        findings.append(_said(file, reader.line_num, f"it is no CSV: {error}"))


def _read(row: list[str]) -> tuple[str, Decimal, str]:
    if len(row) != len(HEADING):
        raise _Refused(f"a line has {len(HEADING)} cells, and this one {len(row):,}")
    part, price, currency = map(str.strip, row)
    if not part or len(part) > 120 or not part.isprintable():
        raise _Refused("a part is 1 to 120 printable characters")
    if not _PRICE.fullmatch(price):
        raise _Refused(f"the price of {part} is a number with a point, such as 1250.50")
    if price.startswith("-"):
        raise _Refused(f"the price of {part} is negative")
    if not _CURRENCY.fullmatch(currency):
        raise _Refused(f"the currency of {part} is three capital letters, such as EUR")
    return part, Decimal(price), currency


def _fits(part: str, currency: str, places: dict[str, Position], currencies: list[str]) -> None:
    """Hold a line against those above it."""
    if part in places:
        raise _Refused(f"{part} has a price in line {places[part].line:,} already")
    if currencies and currency != currencies[0]:
        raise _Refused(f"{part} is in {currency}, and the lines above are in {currencies[0]}")


def _said(file: str, line: int, message: str) -> Diagnostic:
    return Diagnostic(Code.PRICE_REFUSED, message, position=Position(file, max(line, 1), 1))
