"""Each key of site, underlay and queues is read back, on each platform that has a line for it.

keys.txt says which: a platform with a minus before it renders the key, and it does not come back
from there; a platform that is not named has no line for it, or none that a site here shows.
FABRICGEN_GOLDEN=update looks at all, and writes the table.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.keys.schema import Key, every_key
from tests.keys.test_every_key import pairs
from tests.unit.adopt.examples import Texts, network, rendered
from tests.unit.adopt.forgetting import forgotten, lifted

from fabricgen.importer.sections import sections
from fabricgen.nos.registry import platforms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen.importer.tree import Tree

TABLE = Path(__file__).with_name("keys.txt")
UPDATE = os.environ.get("FABRICGEN_GOLDEN") == "update"
MINE = {"underlay", "roce", "load_balancing", "classes", "descriptions"}
MINE |= {"errdisable", "port_profiles"}
SAMPLE = (
    "site.management.snmp.users.*.privacy",
    "site.management.aaa.order",
    "site.management.ntp",
    "site.descriptions.server",
    "frontend.underlay.bfd.interval",
    "frontend.classes.*.share",
)
MOST = 24
"""Pairs of sites that are looked at for one in which a key shows."""


def read_here(key: Key) -> bool:
    """Tell whether a key is in a section that is read here."""
    if key.path[0] == "site":
        return key.path[1] in ("name", "management", "descriptions")
    return bool(MINE & {*key.path}) or key.path[-1] == "management"


KEYS = [key for key in every_key() if read_here(key)]


def files(site: dict[str, Any], platform: str) -> tuple[Texts, dict[str, str]] | None:
    """Return the files of switches; None where the site has errors."""
    try:
        return rendered(site, platform)
    except AssertionError:
        return None


def shown(key: Key, platform: str) -> Iterator[Tree]:
    """Yield a site in whose files of switches a key shows, if there is one."""
    for number, (first, second) in enumerate(pairs(key)):
        if number == MOST:
            return
        before, after = files(first, platform), files(second, platform)
        if before is not None and after is not None and before != after:
            yield second
            return


def back(key: Key, platform: str) -> str:
    """Return the platform, with a minus where the key does not come back; empty without a line."""
    for site in shown(key, platform):
        texts = files(site, platform)
        assert texts is not None
        again = sections(network(*texts), lifted(forgotten(site), platform))
        return platform if files(again, platform) == texts else f"-{platform}"
    return ""


def row(key: Key) -> str:
    """Return the row of a key: the platforms that it comes back from."""
    return " ".join(filter(None, (back(key, platform) for platform in platforms())))


def table() -> dict[str, str]:
    """Return the table that is written down."""
    rows = (line.partition(" ") for line in TABLE.read_text().splitlines())
    return {name: rest.strip() for name, _, rest in rows}


@pytest.mark.parametrize("key", [key for key in KEYS if UPDATE or str(key) in SAMPLE], ids=str)
def test_a_key_comes_back_where_the_table_says_so(key: Key) -> None:
    found = row(key)
    if UPDATE:
        known = {**table(), str(key): found}
        rows = (f"{each!s:60} {known[str(each)]}".rstrip() for each in KEYS if str(each) in known)
        TABLE.write_text("\n".join(rows) + "\n")
    assert table()[str(key)] == found


def test_the_table_has_every_key() -> None:
    assert [*table()] == [str(key) for key in KEYS]
