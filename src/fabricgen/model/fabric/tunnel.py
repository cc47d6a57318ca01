"""A GRE tunnel through a network that routes: its ends, its key, and the room that it leaves."""

from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip

GRE_OVERHEAD = 20 + 4 + 4
"""Bytes: an IPv4 header (RFC 791), GRE (RFC 2784) and its key (RFC 2890)."""


@record(kw_only=True)
class Tunnel:
    """One end of a tunnel, on an interface whose tag is the key of both ends.

    vrf: the table by which its packets go to `remote`, by a way out on the same port. local: the
    address of that way out. below: the tag of that way out on the port, None without one.
    """

    vrf: str
    local: Ip
    remote: Ip
    below: int | None
