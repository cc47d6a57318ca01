"""How a slice chooses among equal paths in; the kernel's settings out.

Documentation/networking/ip-sysctl.rst: policy 1 hashes the five-tuple, policy 3 the fields of a bit
mask. With seed 0, and before Linux 6.11, which has no seed, each switch draws one by itself.
"""

from functools import lru_cache

from fabricgen.model.fabric.balancing import FIVE_TUPLE, Field, LoadBalancing
from fabricgen.nos.linux.view_host import Multipath

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
    return Multipath(
        policy=LAYER_4 if whole else CUSTOM,
        fields=None if whole else f"0x{mask:04x}",
        seed=told.seed or None,
        because=told.because,
    )
