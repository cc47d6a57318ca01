"""How a slice chooses among equal paths in; the kernel's settings, and what it lacks, out.

Documentation/networking/ip-sysctl.rst: policy 1 hashes the five-tuple, policy 3 the fields of a bit
mask. With seed 0, and before Linux 6.11, which has no seed, each switch draws one by itself.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from fabricgen.diagnostics import Code, Diagnostic, Severity
from fabricgen.fabric.balancing import FIVE_TUPLE, Field, LoadBalancing
from fabricgen.platforms.linux.view_balancing import Multipath

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen.fabric.switch import SwitchSlice

# FIB_MULTIPATH_HASH_FIELD_*, linux include/net/ip_fib.h
FIELDS = {
    Field.SOURCE_IP: 0x01,
    Field.DESTINATION_IP: 0x02,
    Field.PROTOCOL: 0x04,
    Field.SOURCE_PORT: 0x10,
    Field.DESTINATION_PORT: 0x20,
}
LAYER_4, CUSTOM = 1, 3


@lru_cache(maxsize=64)
def multipath(told: LoadBalancing) -> Multipath:
    """Return the settings of a switch that has equal paths."""
    mask = sum(FIELDS.get(field, 0) for field in told.fields)
    whole = mask in (0, sum(FIELDS[field] for field in FIVE_TUPLE))  # the kernel refuses 0
    said = {"policy": str(LAYER_4 if whole else CUSTOM)}
    if not whole:
        said["fields"] = f"0x{mask:04x}"
    settings = [
        f"net.ipv{version}.fib_multipath_hash_{name} = {value}"
        for name, value in said.items()
        for version in (4, 6)
    ]
    if told.seed:
        settings.append(f"-net.ipv4.fib_multipath_hash_seed = {told.seed}")
    return Multipath(tuple(settings), told.because)


def balancing_gaps(piece: SwitchSlice) -> Iterator[Diagnostic]:
    """Say where flows are too few, because the kernel cannot tell queue pairs apart."""
    told = piece.balancing
    if told is None or told.flows is None or not piece.switch.is_leaf:
        return
    if Field.QUEUE_PAIR in told.wished:
        yield Diagnostic(
            Code.UNSUPPORTED,
            "linux cannot hash the queue pair, so flows are few unless NICs give each its own UDP "
            f"source port: {told.flows.sentence(queue_pairs=False)}",
            (piece.switch.fabric, "load_balancing"),
            "see docs/load-balancing.md",
            Severity.WARNING,
        )
