"""A key's type and present value in; other values that the schema takes, gentlest first, out."""

from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

from annotated_types import Ge, Gt, Le
from netaddr import IPAddress, IPNetwork
from tests.keys.schema import Key

from fabricgen.core.units import BitsPerSecond
from fabricgen.intent.paths import alternatives

TEXTS = (
    *(
        "other",
        "x-{index}",
        "x-{number}",
        "x{unit}-{index}",
        "x-{leaf}-{index}",
        "env:OTHER",
        "00:1c:73:00:00:98",
        "64501:9",
    ),
    *("eos", "linux", "web", "models", "racks", "7060DX5-64S", "Z9664F-ON", "thor2", "1x400G"),
)
"""Texts of every form that a key may have: names, patterns, references, what the sites have."""


def others(key: Key, value: Any) -> Iterator[Any]:
    """Yield values that a key may have besides `value`, which is None where it is omitted."""
    for kind in alternatives(key.field.annotation):
        yield from (other for other in _others(kind, key, value) if other != value)


def _others(kind: Any, key: Key, value: Any) -> Iterator[Any]:
    written = key.field.default if value is None else value
    if get_origin(kind) is Literal:
        yield from get_args(kind)
    elif get_origin(kind) is list:
        (item,) = alternatives(get_args(kind)[0])
        had = written if isinstance(written, list) else []
        more = _others(item, key, had[-1] if had else None)
        yield from ([*had, other] for other in more if other not in had)
    elif kind is bool:
        yield not written
    elif kind in (int, float):
        yield from _numbers(kind, key, written)
    elif kind is IPNetwork:
        yield from _networks(written)
    elif kind is IPAddress:
        yield str(IPAddress(value) + 1) if value else "10.255.15.249"
    elif kind is BitsPerSecond:
        yield from ("100G", "200G", "400G", "50G", "10G")
    elif get_origin(kind) is tuple:
        yield from ("1", "1-2", "3")
    else:
        yield from TEXTS


def _numbers(kind: Any, key: Key, here: Any) -> Iterator[Any]:
    """Yield numbers near the present one, then further ones, within the bounds."""
    low = next((item.ge for item in key.field.metadata if isinstance(item, Ge)), None)
    high = next((item.le for item in key.field.metadata if isinstance(item, Le)), None)
    open_low = next((item.gt for item in key.field.metadata if isinstance(item, Gt)), None)
    near = (here + 1, here - 1, 2 * here, here / 8) if isinstance(here, kind) else ()
    for number in (*near, low, high, 2, 4, 16, 40_000, 2_000_000):
        if not isinstance(number, kind) or (open_low is not None and number <= open_low):
            continue
        if (low is None or low <= number) and (high is None or number <= high):
            yield number


def _networks(written: Any) -> Iterator[str]:
    """Yield other pools of the same size."""
    pool = IPNetwork(written if isinstance(written, str) else "10.111.1.0/24")
    yield from (str(pool.next(step)) for step in (1, 4, 16))
