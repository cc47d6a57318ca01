"""Defines the Ethernet segment of a server on two leafs: shared values and those of each leaf."""

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.topology import Switch

# The higher preference is elected (RFC 9785, section 3); FRR's default is 32767, which it does not
# print.
DESIGNATED, STANDBY = 200, 100


@record(kw_only=True)
class Segment:
    """Port-channel of one server on a pair of leafs, as seen by one of them (RFC 7432, section 5).

    `system`: the MAC that both leafs use as LACP system, so that the server sees one switch; both
    derive it from the tunnel endpoint of the pair's first leaf. `number`: of the port-channel, from
    1, the same on both. `preference`: of this leaf to forward broadcasts. `peer`: the other leaf.
    `because`: place of the intent that spreads the server's ports over two leafs.
    """

    system: str
    number: int
    preference: int
    peer: Switch
    because: Provenance

    @property
    def identifier(self) -> str:
        """Return the ESI: type 0, then the system and the port-channel; leafs import by the system.

        Every platform accepts type 0 as configured text. The six octets after the type are the
        ES-Import route target (RFC 7432, section 7.6) of the pair, so that no other leaf imports
        routes of its segments.
        """
        return f"00:{self.system}:{self.number.to_bytes(3, 'big').hex(':')}"


def segment_of(
    number: int, endpoint: Ip, peer: Switch, because: Provenance, *, first: bool
) -> Segment:
    """Return a segment as one leaf of a pair has it; `endpoint`: of the pair's first leaf.

    Places with odd numbers receive broadcasts from the first leaf, the others from the second.
    """
    return Segment(
        system="02:fc:" + endpoint.value.to_bytes(4, "big").hex(":"),
        number=number,
        preference=DESIGNATED if first == bool(number % 2) else STANDBY,
        peer=peer,
        because=because,
    )
