"""Defines the intent keys of zones: members, permitted flows and services."""

import re
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.vocabulary import IntentModel, Name, Network

_SERVICE = re.compile(r"(tcp|udp)(?:/([0-9]{1,5})(?:-([0-9]{1,5}))?)?|icmp")
REFERENCE = r"^[a-z][a-z0-9-]{0,30}(/[a-zA-Z][a-zA-Z0-9-]{0,30}){1,2}$"


def _service(value: Any) -> str:
    match = _SERVICE.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise PydanticCustomError("value", "a service is tcp/443, udp/1024-2048, tcp, udp or icmp")
    first, last = int(match[2] or 1), int(match[3] or match[2] or 1)
    if not 1 <= first <= last <= 65_535 or (match[3] and first == last):
        raise PydanticCustomError("value", "ports go upwards, from 1 to 65535")
    return str(value)


def _service_or_name(value: Any) -> str:
    if isinstance(value, str) and re.fullmatch(r"[a-z][a-z0-9-]{0,30}", value):
        return value  # `tcp`, `udp` and `icmp` are services by themselves
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


class AccessZone(IntentModel):
    """Who is in a zone: whole VRFs, VLANs, kinds of servers, outside routers, prefixes."""

    vrfs: list[Reference] = Field(
        default_factory=list,
        description="VRFs as `tenant/vrf`: their routed VLANs that no other zone names.",
    )
    vlans: list[Reference] = Field(
        default_factory=list, description="Routed VLANs as `tenant/vlan`."
    )
    servers: list[Name] = Field(
        default_factory=list,
        description="Kinds of `servers`: the routed VLANs that their ports carry.",
    )
    outside: list[Reference] = Field(
        default_factory=list,
        description="Outside routers as `tenant/vrf/name`, with the prefixes taken from them.",
    )
    prefixes: list[Network] = Field(
        default_factory=list,
        description="Addresses behind its VLANs or, where it has none, behind outside routers.",
    )
    through: Name | None = Field(
        None,
        description="Zone of the firewall: whatever comes from outside has to come by one of its "
        "outside routers, which is proven.",
    )


class Flow(IntentModel):
    """Connections that may be opened: by any of the clients, to any of the servers."""

    clients: list[Name] = Field(min_length=1, description="Zones that open them.")
    servers: list[Name] = Field(min_length=1, description="Zones that answer.")
    services: list[ServiceOrName] = Field(
        min_length=1, description="As `tcp/443`, `udp/53`, `icmp`, or names of `services`."
    )
