"""Read from eos.cfg how the switch chooses among ECMP paths."""

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial

from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.balancing import FIVE_TUPLE, Choice, Field, Mode
from fabricgen.nos.nos import PathReader
from fabricgen.nos.shared.balancing import differences

_WORDS = ("load-balance", "load-sharing")
_BYTE = re.compile(
    r"port-channel load-balance trident udf eth-type IPv4 ip-protocol udp header outer l4 "
    r"offset (\d+) mask 0xFF"
)
_FIELDS = re.compile(r"ip load-sharing trident fields (ip|ipv6) ([a-z -]+)")
_DYNAMIC = "ip hardware fib load-balance distribution dynamic"
_DESTINATION_QP = {13, 14, 15}  # 8 bytes of UDP, then bytes 5 to 7 of the base transport header


def read(model: SwitchModel | None, files: Mapping[str, str]) -> Choice:
    """Read eos.cfg; without a line EOS hashes the five-tuple and the ingress port."""
    facts = model.platforms.get("eos", {}) if model else {}
    can = frozenset(Field) & frozenset(facts.get("load_balancing", ()))
    return _parsed(can, tuple(_lines(files.get("eos.cfg", ""))))


def _lines(text: str) -> Iterator[str]:
    for word in _WORDS:
        at = text.find(word)
        while at >= 0:
            end = text.find("\n", at)
            yield text[text.rfind("\n", 0, at) + 1 : end]
            at = text.find(word, end)


@lru_cache(maxsize=64)
def _parsed(can: frozenset[Field], lines: tuple[str, ...]) -> Choice:
    mode, taken, faults = Mode.ECMP, set[int](), []
    chosen = dict[str, frozenset[Field]]()
    for line in lines:
        byte = _BYTE.fullmatch(line)
        if byte:
            taken.add(int(byte[1]))
        elif (match := _FIELDS.fullmatch(line)) and set(match[2].split()) <= set(Field):
            chosen[match[1]] = frozenset(map(Field, match[2].split()))
        elif line == _DYNAMIC:
            mode = Mode.FLOWLET
        else:
            faults.append(f"has a line of unknown meaning: {line}")
    if taken not in (set(), _DESTINATION_QP):
        faults.append(
            f"hashes bytes {sorted(taken)} after the IP header, not a complete queue pair"
        )
    if chosen and len({chosen.get(family) for family in ("ip", "ipv6")}) > 1:
        faults.append("hashes different fields of IPv4 and IPv6")
    more = {Field.QUEUE_PAIR} if taken == _DESTINATION_QP else set()
    fields = frozenset({*chosen.get("ip", FIVE_TUPLE), *more})
    return Choice(mode=mode, fields=fields, seed=None, can=can, faults=tuple(faults))


PATHS = PathReader(
    read,
    partial(
        differences,
        modes=frozenset({Mode.ECMP, Mode.FLOWLET}),
        told_seed=lambda _: None,  # EOS has no command for a seed
    ),
)
