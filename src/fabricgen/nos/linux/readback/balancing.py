"""Read from the kernel's settings how the switch chooses among ECMP paths."""

import re
from collections.abc import Mapping
from functools import partial

from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.balancing import FIVE_TUPLE, Choice, Mode
from fabricgen.nos.nos import PathReader
from fabricgen.nos.shared.balancing import differences

_FILE = "etc/sysctl.d/90-fabricgen-paths.conf"
_V4 = re.compile(r"^-?net\.ipv4\.fib_multipath_hash_(\w+) = (\w+)$", re.MULTILINE)
_V6 = re.compile(r"^net\.ipv6\.fib_multipath_hash_(\w+) = (\w+)$", re.MULTILINE)
_BITS = dict(zip((0x01, 0x02, 0x04, 0x10, 0x20), FIVE_TUPLE, strict=True))
_POLICIES = {"0": 0x03, "1": 0x37}  # layer 3, layer 4


def read(_model: SwitchModel | None, files: Mapping[str, str]) -> Choice:
    """Read the kernel's settings. Policy 3 has a mask of fields, by default 0x0007."""
    text = files.get(_FILE, "")
    four, six = dict(_V4.findall(text)), dict(_V6.findall(text))
    policy, seed = four.get("policy", "0"), int(four.pop("seed", "0"))
    mask = int(four.get("fields", "0x0007"), 16) if policy == "3" else _POLICIES.get(policy, 0)
    return Choice(
        mode=Mode.ECMP,
        fields=frozenset(field for bit, field in _BITS.items() if mask & bit),
        seed=seed or None,
        faults=() if four == six else ("hashes IPv4 and IPv6 by different fields",),
    )


PATHS = PathReader(
    read,
    partial(
        differences,
        modes=frozenset({Mode.ECMP}),
        told_seed=lambda seed: seed or None,  # with 0 the kernel draws a random seed
    ),
)
