"""Name the rules of checks that do more than the comparison of facts."""

from collections.abc import Mapping

from fabricgen.prove.catalogue import growth, hardware, identity, lossless, prefixes
from fabricgen.prove.catalogue.model import Rule

RULES: Mapping[str, Rule] = {
    "release": identity.release,
    "laws": identity.laws,
    "restarts": hardware.restarts,
    "port_errors": growth.port_errors,
    "signal_errors": growth.signal_errors,
    "frame_size": growth.frame_size,
    "flaps": growth.flaps,
    "uncorrected": growth.uncorrected,
    "link_pause": growth.link_pause,
    "errdisabled": hardware.errdisabled,
    "daemons": hardware.daemons,
    "components": hardware.components,
    "light": hardware.light,
    "module_heat": hardware.module_heat,
    "bit_errors": hardware.bit_errors,
    "capacity": hardware.capacity,
    "certificates": hardware.certificates,
    "balancing": hardware.balancing,
    "counted": hardware.coverage_of_counters,
    "unexpected_pauses": lossless.unexpected_pauses,
    "drops": lossless.drops,
    "storms": lossless.storms,
    "pause_share": lossless.pause_share,
    "ecn_rate": lossless.ecn_rate,
    "strange_marks": lossless.strange_marks,
    "headroom_use": lossless.headroom_use,
    "pool_use": lossless.pool_use,
    "refused": prefixes.refused,
    "received": prefixes.received,
    "emptied": prefixes.emptied,
    "isolation": prefixes.isolation,
}
"""Rules by the name that the file of a check gives. No other code runs rules."""
