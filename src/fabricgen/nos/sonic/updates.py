"""Classify the risk of a change by the way SONiC's config updater applies it.

`config reload` applies the changes that the updater refuses. It restarts every service, so its risk
class is reboot. A push reloads only if that is allowed; otherwise it stops before any change.
"""

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from fabricgen.core.tree.database import is_printed
from fabricgen.core.tree.risk import Change, Kind, Risk, Rule
from fabricgen.nos.sonic import risk
from fabricgen.nos.sonic.driver.onswitch.tables import target
from fabricgen.nos.sonic.releases import DEFAULT, RELEASES
from fabricgen.nos.sonic.updater import hwsku_of, refused

FILE, ROUTING = "config_db.json", "frr.conf"
SLOW = 64
"""Number of CONFIG_DB entries from which a change takes minutes.

Measured with the updater of each release, CONFIG_DB in memory, two shared cores: 17 entries took 13
to 33 s; 482 new ones (eight leafs more on a spine) took 306 s on 202511 and 28 s on master. Changes
of 64 existing entries (cables of 60 m) and of 257 (watchdog disabled) had no answer within
240 s on 202511, and none within 60 s on 202411, 202505 and master, where the wait was no longer.
"""
_BETWEEN, _CLOSED = "\n    },\n", "\n    }\n}\n"
_LAST = len(_CLOSED)
_MODEL = '    "DEVICE_METADATA"'
_KINDS = {"add": Kind.ADDED, "move": Kind.ADDED, "remove": Kind.REMOVED, "replace": Kind.CHANGED}
_VERSION = re.compile(r"^frr version (\S+)", re.MULTILINE)
_BY_FRR = {has.frr: name for name, has in reversed(RELEASES.items())}


def updates(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[Change]:
    """Yield changes that restart FRR, that the release's updater refuses, or that are slow."""
    yield from risk.restart(before.get(ROUTING, ""), after.get(ROUTING, ""))
    old, new = map(tables_of, differing(before, after))
    if not hwsku_of(old) or not new or old == new:  # without an hwsku the file is no switch's
        return
    release = release_of_files(before)
    for place, operation, why in refused(old, target(old, new), release):
        yield Change(
            file=FILE, where=place, kind=_KINDS[operation], rule=_refusal(release, why), known=True
        )
    stood, added = _entries(old, new)
    if stood + added >= SLOW:
        rule = _stalled(stood) if stood >= SLOW else _slowly(stood + added)
        yield Change(file=FILE, where=("CONFIG_DB",), kind=Kind.CHANGED, rule=rule, known=True)


def differing(
    before: Mapping[str, str], after: Mapping[str, str]
) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return both databases without equal tables, which are most of a large file.

    A table with the model of the switch is kept. Another layout than the rendered one is unchanged.
    """
    texts = before.get(FILE, ""), after.get(FILE, "")
    if not all(map(is_printed, texts)):
        return before, after
    sides = [text[2:-_LAST].split(_BETWEEN) for text in texts]
    equal = {block for block in set(sides[0]) & set(sides[1]) if not block.startswith(_MODEL)}
    left = [[block for block in side if block not in equal] for side in sides]
    if not all(left):
        return before, after
    one, other = ("{\n" + _BETWEEN.join(blocks) + _CLOSED for blocks in left)
    return {FILE: one}, {FILE: other}


def _entries(before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[int, int]:
    """Count the changed entries and the new ones."""
    stood = sum(
        fields != after.get(table, {}).get(key)
        for table, entries in before.items()
        for key, fields in entries.items()
    )
    added = sum(len(entries.keys() - before.get(name, {})) for name, entries in after.items())
    return stood, added


def release_of_files(files: Mapping[str, str]) -> str:
    """Return the release of the files, by FRR's version; master counts as 202605.

    Their updaters guard the same fields of the same tables on every ASIC of the catalog.
    """
    match = _VERSION.search(files.get(ROUTING, ""))
    return _BY_FRR.get(match[1], DEFAULT) if match else DEFAULT


def tables_of(files: Mapping[str, str]) -> dict[str, Any]:
    """Return the tables; a table with another shape is omitted."""
    try:
        read = json.loads(files.get(FILE, "{}"))
    except (ValueError, RecursionError):
        return {}
    return {
        name: {key: fields for key, fields in entries.items() if isinstance(fields, dict)}
        for name, entries in (read.items() if isinstance(read, dict) else ())
        if isinstance(entries, dict)
    }


@lru_cache(maxsize=256)
def _refusal(release: str, why: str) -> Rule:
    return Rule(
        where="",
        risk=Risk.REBOOT,
        why=f"the config updater of {release} refuses it: {why}. `config reload` of the drained "
        "switch applies it (--allow-reload): every service restarts, every port goes down and "
        "every session ends; the duration was not measured",
        source="sonic-utilities generic_config_updater/gcu_field_operation_validators.conf.json",
    )


@lru_cache(maxsize=256)
def _slowly(entries: int) -> Rule:
    return Rule(
        where="",
        risk=Risk.HITLESS,
        why=f"{entries} entries differ: from {SLOW} on the config updater takes minutes, as "
        "482 new entries took 306 s on 202511 and 28 s on master",
        source=_MEASURED,
    )


@lru_cache(maxsize=256)
def _stalled(entries: int) -> Rule:
    return Rule(
        where="",
        risk=Risk.REBOOT,
        why=f"{entries} existing entries change: from {SLOW} on the config updater gave no answer "
        "in 240 s on 202511 and in 60 s on other releases. The plan runs it and waits "
        "900 s; a switch without an answer is refused, or needs a `config reload` "
        "(--allow-reload), which restarts every service",
        source=_MEASURED,
    )


_MEASURED = "measured with the updater of each release, CONFIG_DB in memory"
