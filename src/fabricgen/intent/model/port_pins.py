"""Defines the overrides of a switch's ports and cables: dead, kept, described, absent or moved."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.own_lines import PortLines
from fabricgen.intent.model.vocabulary import IntentModel, SafeText, Speed, expanded

PORT = r"[1-9][0-9]{0,2}(/[1-8])?"
PORT_LABEL = f"^{PORT}$"
_CAGES = r"[1-9][0-9]{0,2}(-[1-9][0-9]{0,2})?"
PORT_KEY = rf"^({PORT}|{_CAGES}( *, *{_CAGES})*)$"
LINK_END = rf"^({PORT}|[a-z][a-z0-9-]{{0,62}})$"
FAR_END = rf"^[a-z][a-z0-9-]{{0,62}} port {PORT}$"
PortLabel = Annotated[
    str,
    Field(
        pattern=PORT_LABEL,
        description="A cage as printed on the switch, or one port of it, for example 7 or 7/2.",
        examples=["7", "7/2"],
    ),
]


def labels(key: str) -> tuple[str, ...]:
    """Return the ports or cages that a key of `ports` names: 29-32 is four cages."""
    return (key,) if "/" in key else tuple(map(str, expanded(key)))


def _upwards(key: str) -> str:
    labels(key)
    return key


PortKey = Annotated[str, Field(pattern=PORT_KEY), AfterValidator(_upwards)]
LinkEnd = Annotated[str, Field(pattern=LINK_END)]


class PortPin(IntentModel):
    """Settings of one port, of a cage with all its ports, or of several cages."""

    says_of_its_key: ClassVar[bool] = True

    state: Literal["dead", "reserved"] | None = Field(
        None,
        description="No cable here: the port is broken or reserved. Its cable moves to a free "
        "port of the switch; no other cable moves.",
    )
    move_to: Annotated[int, Field(ge=1, le=999)] | PortLabel | None = Field(
        None,
        description="Port to which the cable moves. Two cables may swap ports. Default with a "
        "state: the free port that growth needs last.",
    )
    speed: Speed | None = Field(
        None,
        description="Speed of an unsplit cage to a server, on an evpn fabric without `roce`. All "
        "ports of a bond need the same speed.",
    )
    description: SafeText | None = Field(
        None, description="Interface description. Default: its state, or both ends of its cable."
    )

    custom_config: PortLines | None = Field(None, description="Custom config of the port.")

    @model_validator(mode="after")
    def _tells(self) -> PortPin:
        said = (self.state, self.move_to, self.speed, self.description, self.custom_config)
        if all(each is None for each in said):
            raise PydanticCustomError("value", "the entry of this port is empty; remove it")
        if self.state is not None and self.speed is not None:
            raise PydanticCustomError(
                "value", f"a port with state {self.state} has no speed; remove `speed`"
            )
        return self


class LinkPin(IntentModel):
    """Remote end of a port's cable if it differs from the design, and the state of the cable."""

    says_of_its_key: ClassVar[bool] = True

    to: Annotated[str, Field(pattern=FAR_END)] | None = Field(
        None,
        description="Remote end, for example `be-spine2 port 9`.",
        examples=["be-spine2 port 9"],
    )
    state: Literal["planned", "drained", "dead"] | None = Field(
        None,
        description="`planned`: not installed yet. The link is numbered, and both ports are shut. "
        "`drained`: the link runs, and traffic uses others. `dead`: broken until repair. Both ends "
        "keep their configuration, and no command waits for it. Default: in service.",
    )

    @model_validator(mode="after")
    def _tells(self) -> LinkPin:
        if self.to is None and self.state is None:
            raise PydanticCustomError("value", "the entry of this link is empty; remove it")
        return self


PortPins = Annotated[
    dict[PortKey, PortPin],
    Field(
        default_factory=dict,
        description="Port overrides by cage or port (`7`, `7/2`), or by several cages (`29-32`, "
        "`1-8,12`).",
    ),
]
LinkPins = Annotated[
    dict[LinkEnd, Literal["absent"] | LinkPin],
    Field(
        default_factory=dict,
        description="Link overrides. By local port: `absent`, the remote end of the cable, or its "
        "`state`. By the name of a neighbor switch, for all links to it: `absent` or a `state`.",
    ),
]


class PinnedPorts(IntentModel):
    """Overrides of the ports and cables of a switch."""

    ports: PortPins
    links: LinkPins
