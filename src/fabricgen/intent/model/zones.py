"""Defines the intent keys of zones: members, permitted flows and services."""

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.vocabulary import IntentModel, Name, Network

_SERVICE = re.compile(r"(tcp|udp)(?:/([0-9]{1,5})(?:-([0-9]{1,5}))?)?|icmp")
ZONE_NAME = r"^[a-z][a-z0-9-]{0,30}(/[a-z][a-z0-9-]{0,30})?$"
REFERENCE = r"^[a-z][a-z0-9-]{0,30}(/[a-zA-Z][a-zA-Z0-9-]{0,30}){1,2}$"


def _service(value: Any) -> str:
    match = _SERVICE.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise PydanticCustomError(
            "value", "write a service as tcp/443, udp/1024-2048, tcp, udp or icmp"
        )
    first, last = int(match[2] or 1), int(match[3] or match[2] or 1)
    if not 1 <= first <= last <= 65_535 or (match[3] and first == last):
        raise PydanticCustomError("value", "a port range must rise, within 1 to 65535")
    return str(value)


def _service_or_name(value: Any) -> str:
    if isinstance(value, str) and re.fullmatch(r"[a-z][a-z0-9-]{0,30}", value):
        return value  # `tcp`, `udp` and `icmp` are services without ports
    return _service(value)


Service = Annotated[
    str,
    BeforeValidator(_service),
    WithJsonSchema({"type": "string", "examples": ["tcp/443", "udp/1024-2048", "icmp"]}),
]
ServiceOrName = Annotated[
    str,
    BeforeValidator(_service_or_name),
    WithJsonSchema({"type": "string", "examples": ["https", "tcp/443"]}),
]
Reference = Annotated[str, Field(pattern=REFERENCE)]
ZoneName = Annotated[str, Field(pattern=ZONE_NAME)]


class AccessZone(IntentModel):
    """Members of a zone: VRFs, VLANs, servers, external routers and prefixes."""

    vrfs: list[Reference] = Field(
        default_factory=list,
        description="VRFs as `tenant/vrf`, with the routed VLANs that no other zone names.",
    )
    vlans: list[Reference] = Field(
        default_factory=list, description="Routed VLANs as `tenant/vlan`."
    )
    servers: list[Name] = Field(
        default_factory=list,
        description="Kinds of `servers`, with the routed VLANs that their ports carry.",
    )
    outside: list[Reference] = Field(
        default_factory=list,
        description="External routers as `tenant/vrf/name`, with the prefixes accepted from them.",
    )
    hosts: list[Reference] = Field(
        default_factory=list,
        description="Servers with BGP on routed ports as `tenant/vrf/name` of `hosts`, with their "
        "links and the prefixes accepted from them.",
    )
    prefixes: list[Network] = Field(
        default_factory=list,
        description="Prefixes behind its VLANs, or behind external routers if it has no VLANs.",
    )
    through: Name | None = Field(
        None,
        description="Zone of the firewall. fabricgen proves that all external traffic passes one "
        "of its external routers.",
    )


class Flow(IntentModel):
    """Permitted connections from any client to any server of the lists."""

    clients: list[ZoneName] = Field(
        min_length=1,
        description="Zones that open connections. `oob/bmc` is the VLAN `bmc` of the management "
        "network `oob`, `oob/outside` its external routers.",
    )
    servers: list[ZoneName] = Field(min_length=1, description="Zones that accept connections.")
    services: list[ServiceOrName] = Field(
        min_length=1,
        description="Services such as `tcp/443`, `udp/53`, `icmp`, or names of `services`.",
    )
