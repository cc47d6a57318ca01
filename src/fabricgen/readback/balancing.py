"""Rendered files of a switch in; how it would choose among equal paths, and every difference, out.

A reader of its own for each platform. None stands for: the file does not say, and the platform
cannot be told, or draws a value by itself.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from fabricgen.fabric.balancing import FIVE_TUPLE, Field, Mode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from fabricgen.catalog.switches import SwitchModel
    from fabricgen.fabric.balancing import LoadBalancing


@dataclass(frozen=True, slots=True)
class Choice:
    """What files say: who chooses, from which fields, with which seed.

    can: fields beyond the five-tuple that this switch could be told. faults: lines of no meaning.
    """

    mode: Mode
    fields: frozenset[Field]
    seed: int | None
    can: frozenset[Field] = frozenset()
    faults: tuple[str, ...] = ()


_EOS_WORDS = ("load-balance", "load-sharing")
_EOS_BYTE = re.compile(
    r"port-channel load-balance trident udf eth-type IPv4 ip-protocol udp header outer l4 "
    r"offset (\d+) mask 0xFF"
)
_EOS_DYNAMIC = "ip hardware fib load-balance distribution dynamic"
_DESTINATION_QP = {13, 14, 15}  # 8 bytes of UDP, then bytes 5 to 7 of the base transport header


def read_eos(model: SwitchModel | None, files: Mapping[str, str]) -> Choice:
    """Read eos.cfg; without a line EOS hashes the five-tuple and the ingress port."""
    facts = model.platforms.get("eos", {}) if model else {}
    can = frozenset(Field) & frozenset(facts.get("load_balancing", ()))
    return _eos(can, tuple(_lines(files.get("eos.cfg", ""))))


def _lines(text: str) -> Iterator[str]:
    """Yield each line about load balancing."""
    for word in _EOS_WORDS:
        at = text.find(word)
        while at >= 0:
            end = text.find("\n", at)
            yield text[text.rfind("\n", 0, at) + 1 : end]
            at = text.find(word, end)


@lru_cache(maxsize=64)
def _eos(can: frozenset[Field], lines: tuple[str, ...]) -> Choice:
    mode, taken, faults = Mode.ECMP, set[int](), []
    for line in lines:
        said = _EOS_BYTE.fullmatch(line)
        if said:
            taken.add(int(said[1]))
        elif line == _EOS_DYNAMIC:
            mode = Mode.FLOWLET
        else:
            faults.append(f"has a line of unknown meaning: {line}")
    if taken not in (set(), _DESTINATION_QP):
        faults.append(f"hashes bytes {sorted(taken)} behind the IP header, not a whole queue pair")
    more = {Field.QUEUE_PAIR} if taken == _DESTINATION_QP else set()
    return Choice(mode, frozenset({*FIVE_TUPLE, *more}), None, can, tuple(faults))


_SONIC_FIELDS = {
    "SRC_IP": Field.SOURCE_IP,
    "DST_IP": Field.DESTINATION_IP,
    "IP_PROTOCOL": Field.PROTOCOL,
    "L4_SRC_PORT": Field.SOURCE_PORT,
    "L4_DST_PORT": Field.DESTINATION_PORT,
}
_SONIC_SEEDS = {
    "ToRRouter": 0,
    "LeafRouter": 10,
    "SpineRouter": 25,
}  # docker-orchagent, switch.json
_SONIC_TYPE = re.compile(r'"type": "(\w+)"')


def read_sonic(_model: SwitchModel | None, files: Mapping[str, str]) -> Choice:
    """Read config_db.json; without SWITCH_HASH the chip's own hash holds, a five-tuple."""
    text = files.get("config_db.json", "")
    at, metadata = text.find('"SWITCH_HASH": '), text.find('"DEVICE_METADATA": ')
    kind = _SONIC_TYPE.search(text, metadata) if metadata >= 0 else None
    seed = _SONIC_SEEDS.get(kind[1]) if kind else None
    if at < 0:
        return Choice(Mode.ECMP, frozenset(FIVE_TUPLE), seed)
    table, _ = json.JSONDecoder().raw_decode(text, at + len('"SWITCH_HASH": '))
    row = table.get("GLOBAL", {})
    named = row.get("ecmp_hash", ())
    odd = sorted({*row} - {"ecmp_hash"}) + [name for name in named if name not in _SONIC_FIELDS]
    return Choice(
        Mode.ECMP,
        frozenset(_SONIC_FIELDS[name] for name in named if name in _SONIC_FIELDS),
        seed,
        faults=(f"has {', '.join(odd)} in SWITCH_HASH, of unknown meaning",) if odd else (),
    )


_LINUX_FILE = "etc/sysctl.d/90-fabricgen-paths.conf"
_LINUX = re.compile(r"^-?net\.ipv4\.fib_multipath_hash_(\w+) = (\w+)$", re.MULTILINE)
_LINUX_V6 = re.compile(r"^net\.ipv6\.fib_multipath_hash_(\w+) = (\w+)$", re.MULTILINE)
_LINUX_BITS = dict(zip((0x01, 0x02, 0x04, 0x10, 0x20), FIVE_TUPLE, strict=True))
_LINUX_POLICIES = {"0": 0x03, "1": 0x37}  # layer 3, layer 4


def read_linux(_model: SwitchModel | None, files: Mapping[str, str]) -> Choice:
    """Read the kernel's settings; policy 3 takes a mask of fields, 0x0007 unless it is said."""
    text = files.get(_LINUX_FILE, "")
    four, six = dict(_LINUX.findall(text)), dict(_LINUX_V6.findall(text))
    policy, seed = four.get("policy", "0"), int(four.pop("seed", "0"))
    mask = (
        int(four.get("fields", "0x0007"), 16) if policy == "3" else _LINUX_POLICIES.get(policy, 0)
    )
    return Choice(
        Mode.ECMP,
        frozenset(field for bit, field in _LINUX_BITS.items() if mask & bit),
        seed or None,
        faults=() if four == six else ("hashes IPv4 and IPv6 by different fields",),
    )


READERS: dict[str, Callable[[SwitchModel | None, Mapping[str, str]], Choice]] = {
    "eos": read_eos,
    "sonic": read_sonic,
    "linux": read_linux,
}
_HASHES_FIVE = frozenset({"eos"})
_TOLD_NO_SEED = frozenset({"eos"})
_DRAWS_AT_ZERO = frozenset({"linux"})


def differences(platform: str, said: Choice, told: LoadBalancing) -> Iterator[str]:
    """Yield every way in which files choose otherwise than designed."""
    yield from said.faults
    if said.mode is not told.mode and told.mode in _MODES[platform]:
        yield f"chooses equal paths by {said.mode}; designed is {told.mode}"
    designed = _designed(platform, said.can, told)
    if said.fields != designed:
        yield f"hashes {_list(said.fields)}; designed is {_list(designed)}"
    drawn = platform in _TOLD_NO_SEED or (platform in _DRAWS_AT_ZERO and told.seed == 0)
    if said.seed != (None if drawn else told.seed):
        yield f"has the hash seed {said.seed}; designed is {told.seed}"


def _designed(platform: str, can: frozenset[Field], told: LoadBalancing) -> frozenset[Field]:
    """Return what is hashed of what is designed; the compiler has told what cannot be."""
    five, wanted = frozenset(FIVE_TUPLE), frozenset((*told.fields, *told.wished))
    if platform in _HASHES_FIVE:
        return five | (wanted & can)
    return wanted & (five | can) or five


_MODES = {
    "eos": frozenset({Mode.ECMP, Mode.FLOWLET}),
    "sonic": frozenset({Mode.ECMP}),
    "linux": frozenset({Mode.ECMP}),
}
"""Modes that a file of the platform can say; the compiler has told of the others."""


def _list(fields: frozenset[Field]) -> str:
    return ", ".join(field for field in Field if field in fields) or "nothing"
