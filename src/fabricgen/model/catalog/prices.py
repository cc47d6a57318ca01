"""Reads the price list of a site: the price of a part by its name in the bill."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fabricgen.core.record import record

if TYPE_CHECKING:
    from decimal import Decimal

    from fabricgen.core.diagnostics import Position


@record(kw_only=True)
class PriceList:
    """Prices in one currency, an ISO 4217 code. `places`: the line of each part."""

    currency: str
    prices: Mapping[str, Decimal]
    places: Mapping[str, Position]


NO_PRICES = PriceList(currency="", prices={}, places={})
