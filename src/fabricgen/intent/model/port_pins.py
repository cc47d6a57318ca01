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
        description="A cage as printed on the switch, or one port of it: 7, 7/2.",
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
    """What is said of one port, or of a cage with all its ports; or of each of several cages."""

    says_of_its_key: ClassVar[bool] = True

    state: Literal["dead", "reserved"] | None = Field(
        None,
        description="Nothing is cabled here: the port is broken, or kept for something else. What "
        "would be here goes to a free port of the switch, and nothing else moves.",
    )
    move_to: Annotated[int, Field(ge=1, le=999)] | PortLabel | None = Field(
        None,
        description="Where the cable goes that would be here; two may change places. Default, of "
        "a port with a state: a free port that is needed last as the fabric grows.",
    )
    speed: Speed | None = Field(
        None,
        description="Of a port to a server, on an evpn fabric without `roce`: another speed of its "
        "cage, which is not split. All ports of a bond have one.",
    )
    description: SafeText | None = Field(
        None, description="Text on the port; default: its state, or both ends of its cable."
    )

    custom_config: PortLines | None = Field(None, description="Own lines of the port.")

    @model_validator(mode="after")
    def _tells(self) -> PortPin:
        said = (self.state, self.move_to, self.speed, self.description, self.custom_config)
        if all(each is None for each in said):
            raise PydanticCustomError("value", "nothing is said of this port: leave it out")
        if self.state is not None and self.speed is not None:
            raise PydanticCustomError("value", f"a port that is {self.state} has no speed")
        return self


class LinkPin(IntentModel):
    """Where the cable of a port goes, other than by design; and whether it is there."""

    says_of_its_key: ClassVar[bool] = True

    to: Annotated[str, Field(pattern=FAR_END)] | None = Field(
        None, description="The other end, as `be-spine2 port 9`.", examples=["be-spine2 port 9"]
    )
    state: Literal["planned", "drained", "dead"] | None = Field(
        None,
        description="`planned`: not there yet; it is numbered, and the ports of both ends are "
        "shut. `drained`: it runs, and traffic goes by others. `dead`: gone until it is mended; "
        "both ends keep what they have and nobody waits for it. Default: it is there.",
    )

    @model_validator(mode="after")
    def _tells(self) -> LinkPin:
        if self.to is None and self.state is None:
            raise PydanticCustomError("value", "nothing is said of this link: leave it out")
        return self


PortPins = Annotated[
    dict[PortKey, PortPin],
    Field(
        default_factory=dict,
        description="Ports as they are, by cage or port: `7`, `7/2`; or by cages, of each of "
        "which it is said: `29-32`, `1-8,12`.",
    ),
]
LinkPins = Annotated[
    dict[LinkEnd, Literal["absent"] | LinkPin],
    Field(
        default_factory=dict,
        description="Links to other switches as they are, by the port of this one: `absent`, or "
        "where the cable goes, or its `state`. By the name of a switch, of all links to it: "
        "`absent` or a `state`.",
    ),
]


class PinnedPorts(IntentModel):
    """What is said of the ports and cables of a switch."""

    ports: PortPins
    links: LinkPins
