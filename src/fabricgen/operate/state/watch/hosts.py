"""Read the counters of congestion notifications of NICs from files of servers.

The file `SERVER` or `SERVER.txt` has the output of `ethtool -S`, or of `grep -r .
/sys/class/infiniband/*/ports/1/hw_counters/`. The names are from torvalds/linux, IB/mlx5:
Support congestion related counters.
"""

import re
from collections.abc import Collection, Mapping
from pathlib import Path

from fabricgen.core.confined import Folder

MOST = 4 * 2**20
"""Maximum bytes of one file."""
_SENT = re.compile(r"(?:^|[\s/])np_cnp_sent\s*[:=]\s*(\d{1,20})\s*$", re.MULTILINE)


def cnps_sent(folder: Path, servers: Collection[str]) -> Mapping[str, float]:
    """Return the CNPs that each server sent, by server. A server without a counter is absent."""
    found: dict[str, float] = {}
    try:
        with Folder(folder) as place:
            for server in servers:
                counts = _SENT.findall(_text(place, server))
                if counts:
                    found[server] = float(sum(map(int, counts)))
    except OSError:
        return {}
    return found


def _text(place: Folder, server: str) -> str:
    for name in (server, f"{server}.txt"):
        try:
            return place.read(name, MOST).decode(errors="replace")
        except OSError:
            continue
    return ""
