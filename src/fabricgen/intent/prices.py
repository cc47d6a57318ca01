"""Reads the prices in `catalog/prices.csv` and reports invalid lines.

The file is a saved spreadsheet with a heading. Each line has part, price and currency.
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
"""After this many errors the file is probably of another kind, so reading stops."""
_PRICE = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]{1,4})?")
_CURRENCY = re.compile("[A-Z]{3}")


class _Refused(Exception):  # noqa: N818 - a sentence on its way to a Diagnostic
    """Reason why a line is refused."""


def price_list(file: str, text: str) -> tuple[PriceList, list[Diagnostic]]:
    """Read a price list. Refused lines are left out and reported with their place."""
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
    """Yield the lines below the heading with their numbers, without empty lines."""
    reader = csv.reader(StringIO(text, newline=""), strict=True)
    try:
        if [cell.strip().lower() for cell in next(reader, [])] != HEADING:
            heading = ",".join(HEADING)
            findings.append(_said(file, 1, f"the first line of a price list must be `{heading}`"))
            return
        yield from ((reader.line_num, row) for row in reader if any(map(str.strip, row)))
    except csv.Error as error:
        findings.append(_said(file, reader.line_num, f"the file is not CSV: {error}"))


def _read(row: list[str]) -> tuple[str, Decimal, str]:
    if len(row) != len(HEADING):
        raise _Refused(f"a line must have {len(HEADING)} cells, but this one has {len(row):,}")
    part, price, currency = map(str.strip, row)
    if not part or len(part) > 120 or not part.isprintable():
        raise _Refused("a part must have 1 to 120 printable characters")
    if not _PRICE.fullmatch(price):
        raise _Refused(f"the price of {part} must be a number with a point, for example 1250.50")
    if price.startswith("-"):
        raise _Refused(f"the price of {part} must not be negative")
    if not _CURRENCY.fullmatch(currency):
        raise _Refused(f"the currency of {part} must be three capital letters, for example EUR")
    return part, Decimal(price), currency


def _fits(part: str, currency: str, places: dict[str, Position], currencies: list[str]) -> None:
    """Check a line against the lines above it."""
    if part in places:
        raise _Refused(f"{part} already has a price in line {places[part].line:,}; keep one")
    if currencies and currency != currencies[0]:
        raise _Refused(
            f"{part} is in {currency}, but the lines above are in {currencies[0]}; use one currency"
        )


def _said(file: str, line: int, message: str) -> Diagnostic:
    return Diagnostic(Code.PRICE_REFUSED, message, position=Position(file, max(line, 1), 1))
