"""Lower load balancing to SWITCH_HASH and list the modes that SONiC does not support."""

from collections.abc import Iterator
from functools import lru_cache

from fabricgen.core.diagnostics import Code, Diagnostic
from fabricgen.model.fabric.balancing import Field, LoadBalancing
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.shared.gaps import flows_without_queue_pairs
from fabricgen.nos.sonic.names import ROLES
from fabricgen.nos.sonic.view import Entry, Tables

# sonic-hash.yang, hash-field.
_FIELDS = {
    Field.SOURCE_IP: "SRC_IP",
    Field.DESTINATION_IP: "DST_IP",
    Field.PROTOCOL: "IP_PROTOCOL",
    Field.SOURCE_PORT: "L4_SRC_PORT",
    Field.DESTINATION_PORT: "L4_DST_PORT",
}
# sonic-buildimage dockers/docker-orchagent/switch.json.j2@0860bc78. It would read `ecmp_hash_seed`
# from DEVICE_METADATA as well, but sonic-device_metadata.yang at 086b03bd does not have it.
SEEDS = {"ToRRouter": 0, "LeafRouter": 10, "SpineRouter": 25}


def hashing(switch_slice: SwitchSlice) -> Tables:
    """Return SWITCH_HASH of a switch between NICs; elsewhere SONiC keeps its default."""
    told = switch_slice.balancing
    return _hash(told) if told is not None and told.flows is not None else {}


@lru_cache(maxsize=64)
def _hash(told: LoadBalancing) -> Tables:
    named = [_FIELDS[field] for field in told.fields if field in _FIELDS]
    entry = Entry(told.because, {"ecmp_hash": list(named)})
    return {"SWITCH_HASH": {"GLOBAL": entry}} if named else {}


def balancing_gaps(switch_slice: SwitchSlice) -> Iterator[Diagnostic]:
    """Report flows that are too few without the queue pair, and seeds that cannot be set."""
    told, role = switch_slice.balancing, switch_slice.switch.role
    if told is None:
        return
    yield from flows_without_queue_pairs("SONiC", switch_slice)
    if told.seed != SEEDS[ROLES[role]]:
        yield Diagnostic(
            Code.UNSUPPORTED,
            f"SONiC gives a {role} the hash seed {SEEDS[ROLES[role]]}, and CONFIG_DB has no field "
            f"for {told.seed}",
            path=(*told.because.main, "seeds", role.value),
            hint="remove the seed",
        )
