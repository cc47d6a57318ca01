"""Who says whether a person may log in to a switch: TACACS+ and RADIUS servers, then local."""

from typing import Literal

from pydantic import Field

from fabricgen.intent.model.secret import SecretReference
from fabricgen.intent.model.vocabulary import Address, Words

MOST_SERVERS = 8
"""max-elements of TACPLUS_SERVER and RADIUS_SERVER (sonic-system-tacacs.yang, -radius.yang)."""


class LoginServers(Words):
    """Servers of one protocol, asked in this order through the management VRF."""

    servers: list[Address] = Field(
        min_length=1, max_length=MOST_SERVERS, description="Addresses, the first one asked first."
    )
    key: SecretReference


class Aaa(Words):
    """Central login. Local accounts come last, always: without any server people get in."""

    tacacs: LoginServers | None = Field(None, description="TACACS+ servers.")
    radius: LoginServers | None = Field(None, description="RADIUS servers.")
    order: list[Literal["tacacs", "radius"]] = Field(
        default_factory=list,
        description="Which protocol is asked first, where both have servers; default: TACACS+. "
        "The next one is asked when none of its servers answers, and local accounts in the end.",
    )
