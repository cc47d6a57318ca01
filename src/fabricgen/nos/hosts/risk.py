"""Rate the effect of a change of a server's files on its jobs by sourced rules for each file.

netplan, networkctl or nmcli apply the change, and the units of fabricgen restart. A running job is
less affected by a change that it notices only after its restart.
"""

import re
from importlib.resources import files

from fabricgen.core.tree.risk import Dialect
from fabricgen.core.tree.rules import rules
from fabricgen.core.tree.settings import ini, lines, script, sections

_RULES = rules((files(__package__) / "risk.txt").read_text(), {})
(UNKNOWN,) = _RULES["unknown"]
_FILES = (
    (r"etc/fabricgen/nics\.sh", script, "nics"),
    (r"etc/fabricgen/firmware\.sh", script, "firmware"),
    (r"etc/fabricgen/check", script, "checks"),
    (r"etc/fabricgen/(?:rails|routed|links)", lines, "checks"),
    (r"etc/frr/.*|etc/fabricgen/(?:cilium|calico)\.yaml", sections, "peering"),
    (r"etc/nccl\.conf", lines, "jobs"),
    (r"etc/fabricgen/job\.env", lines, "hints"),
    (r"etc/fabricgen/ptp4l\.conf", lines, "clock"),
    (r"etc/systemd/system/(?:fabricgen-p.*|.*/fabricgen-ptp)\.(?:service|conf)", ini, "clock"),
    (r"etc/sysctl\.d/.*", lines, "sysctls"),
    (r"etc/netplan/.*", sections, "network"),
    (r"etc/(?:systemd/network|NetworkManager/system-connections)/.*", ini, "network"),
    (r"etc/(?:systemd/system|tmpfiles\.d)/.*", ini, "units"),
    (r"etc/udev/rules\.d/.*", lines, "events"),
    (r".*", lines, ""),
)
DIALECTS = tuple(
    Dialect(file=re.compile(file), read=read, rules=_RULES[kind], unknown=UNKNOWN)
    for file, read, kind in _FILES
)
