"""Read from config_db.json how the switch chooses among ECMP paths."""

import json
import re
from collections.abc import Mapping
from functools import partial

from fabricgen.core.tree.database import printed
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.balancing import FIVE_TUPLE, Choice, Field, Mode
from fabricgen.nos.nos import PathReader
from fabricgen.nos.shared.balancing import differences

_FIELDS = {
    "SRC_IP": Field.SOURCE_IP,
    "DST_IP": Field.DESTINATION_IP,
    "IP_PROTOCOL": Field.PROTOCOL,
    "L4_SRC_PORT": Field.SOURCE_PORT,
    "L4_DST_PORT": Field.DESTINATION_PORT,
}
_SEEDS = {"ToRRouter": 0, "LeafRouter": 10, "SpineRouter": 25}  # docker-orchagent, switch.json
_TYPE = re.compile(r'"type": "(\w+)"')


def read(_model: SwitchModel | None, files: Mapping[str, str]) -> Choice:
    """Read config_db.json; without SWITCH_HASH the chip's default applies, a five-tuple."""
    try:
        text = printed(files.get("config_db.json", "{}"))
    except (RecursionError, ValueError) as error:
        faults = (f"has a config_db.json that is no JSON of tables: {error}",)
        return Choice(mode=Mode.ECMP, fields=frozenset(), seed=None, faults=faults)
    at, metadata = text.find('"SWITCH_HASH": '), text.find('"DEVICE_METADATA": ')
    kind = _TYPE.search(text, metadata) if metadata >= 0 else None
    seed = _SEEDS.get(kind[1]) if kind else None
    if at < 0:
        return Choice(mode=Mode.ECMP, fields=frozenset(FIVE_TUPLE), seed=seed)
    table, _ = json.JSONDecoder().raw_decode(text, at + len('"SWITCH_HASH": '))
    row = table.get("GLOBAL", {})
    named = row.get("ecmp_hash", ())
    odd = sorted({*row} - {"ecmp_hash"}) + [name for name in named if name not in _FIELDS]
    return Choice(
        mode=Mode.ECMP,
        fields=frozenset(_FIELDS[name] for name in named if name in _FIELDS),
        seed=seed,
        faults=(f"has {', '.join(odd)} in SWITCH_HASH, of unknown meaning",) if odd else (),
    )


PATHS = PathReader(read, partial(differences, modes=frozenset({Mode.ECMP})))
