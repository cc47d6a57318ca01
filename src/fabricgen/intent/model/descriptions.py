"""Defines the patterns of interface descriptions for each kind of port and their placeholders."""

import re
from functools import partial
from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.vocabulary import IntentModel

MOST = 40
"""Characters besides the placeholders. Site names have at most 31 letters, switches and servers 63,
ports 33, each once. So no text exceeds 255, the limit of SONiC (sonic-port.yang and
sonic-portchannel.yang, all releases) and Linux (IFALIASZ of linux/if.h, 256 with its end).
"""
_HERE = ("site", "switch", "port")
_FAR = {
    "link": ("peer", "peer_port"),
    "server": ("server", "nic"),
    "external": ("peer",),
    "bundle": ("peer",),
}
"""Required placeholders of the remote end: with them a push can detect a moved cable."""
_WORD = re.compile(r"\{([a-z_]+)\}")
_TEXT = r"[A-Za-z0-9 _.,:;/+()\[\]<>=@#|*-]*"
"""Characters that every platform accepts unchanged. A CLI may interpret quotes, backslash, `?` or
`!`, and ifupdown2 may render `$` or `%` (ifupdown2.conf: template_engine=mako).
"""


def checked_text(kind: str, text: str) -> str:
    """Return an interface description pattern; raise PydanticCustomError `description` if invalid.

    The text between its placeholders is checked, so it is safe as a format string.
    """
    far, words = _FAR[kind], _WORD.findall(text)
    known = (*_HERE, *far)
    unknown = next((word for word in words if word not in known), None)
    if unknown is not None:
        _refuse(f"unknown placeholder {unknown!r}; use {', '.join(known)}")
    bare = _WORD.sub("", text)
    if not re.fullmatch(_TEXT, bare):
        _refuse("use letters, digits, spaces, _.,:;/+()[]<>=@#|*- and placeholders such as {port}")
    if text != text.strip() or text[:1] == "#":
        _refuse("a description must not begin with # or a space, or end in a space")
    if len(bare) > MOST:
        _refuse(
            f"a description has at most {MOST} characters besides its placeholders, but this "
            f"one has {len(bare)}"
        )
    if len(words) > len(set(words)):
        _refuse("use each placeholder at most once in a description")
    missing = [f"{{{word}}}" for word in far if word not in words]
    if missing:
        _refuse(f"the description does not name the remote end; add {' and '.join(missing)}")
    return text


def _refuse(sentence: str) -> None:
    raise PydanticCustomError("description", "{said}", {"said": sentence})


LinkText = Annotated[str, AfterValidator(partial(checked_text, "link"))]
ServerText = Annotated[str, AfterValidator(partial(checked_text, "server"))]
ExternalText = Annotated[str, AfterValidator(partial(checked_text, "external"))]
BundleText = Annotated[str, AfterValidator(partial(checked_text, "bundle"))]


class Descriptions(IntentModel):
    """Interface descriptions by type of neighbor, with the placeholders site, switch and port.

    Default of each: `switch:port to` the remote end.
    """

    link: LinkText | None = Field(
        None,
        description="Ports to other switches. Placeholders: peer and peer_port, both required.",
    )
    server: ServerText | None = Field(
        None, description="Ports to servers. Placeholders: server and nic, both required."
    )


class MoreDescriptions(Descriptions):
    """Interface descriptions that also cover external ports and port-channels."""

    external: ExternalText | None = Field(
        None,
        description="Ports to an external router, also tagged and through tunnels. Placeholder: "
        "peer, required.",
    )
    bundle: BundleText | None = Field(
        None,
        description="Port-channels to servers and external peers. Placeholder: peer, required.",
    )
