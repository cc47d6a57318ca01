"""Defines the patterns of interface descriptions for each kind of port and their placeholders."""

import re
from functools import partial
from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.vocabulary import IntentModel

MOST = 40
"""Characters beside the words. Names of a site have 31 letters, of switches and servers 63, and
ports 33 at most, each once: so no text is longer than 255, what SONiC takes (sonic-port.yang and
sonic-portchannel.yang, all releases) and Linux (IFALIASZ of linux/if.h, 256 with its end)."""
_HERE = ("site", "switch", "port")
_FAR = {
    "link": ("peer", "peer_port"),
    "server": ("server", "nic"),
    "external": ("peer",),
    "bundle": ("peer",),
}
"""Words of the far end: each pattern has them all, or a push could not tell that a cable moves."""
_WORD = re.compile(r"\{([a-z_]+)\}")
_TEXT = r"[A-Za-z0-9 _.,:;/+()\[\]<>=@#|*-]*"
"""What stands on each platform as it is. No quote, backslash, `?` or `!`, which a CLI may take as
its own; no `$` or `%`, which ifupdown2 may render (ifupdown2.conf: template_engine=mako)."""


def checked_text(kind: str, text: str) -> str:
    """Return a pattern of a kind of ports; PydanticCustomError `description` where it will not do.

    What is left when its words are out is text, so it is safe as a format string.
    """
    far, words = _FAR[kind], _WORD.findall(text)
    known = (*_HERE, *far)
    unknown = next((word for word in words if word not in known), None)
    if unknown is not None:
        _refuse(f"no word {unknown!r} here; words: {', '.join(known)}")
    bare = _WORD.sub("", text)
    if not re.fullmatch(_TEXT, bare):
        _refuse("use letters, digits, spaces, _.,:;/+()[]<>=@#|*- and words as {port}")
    if text != text.strip() or text[:1] == "#":
        _refuse("a description does not begin with # or a space, nor end in one")
    if len(bare) > MOST:
        _refuse(f"a description has {MOST} characters beside its words at most, not {len(bare)}")
    if len(words) > len(set(words)):
        _refuse("a description has each word once")
    missing = [f"{{{word}}}" for word in far if word not in words]
    if missing:
        _refuse(f"it does not say where the cable leads: {' and '.join(missing)}")
    return text


def _refuse(sentence: str) -> None:
    raise PydanticCustomError("description", "{said}", {"said": sentence})


LinkText = Annotated[str, AfterValidator(partial(checked_text, "link"))]
ServerText = Annotated[str, AfterValidator(partial(checked_text, "server"))]
ExternalText = Annotated[str, AfterValidator(partial(checked_text, "external"))]
BundleText = Annotated[str, AfterValidator(partial(checked_text, "bundle"))]


class Descriptions(IntentModel):
    """The text on ports in use, by what is behind; words of all: site, switch, port.

    Default of each: `switch:port to` the far end.
    """

    link: LinkText | None = Field(
        None, description="To another switch; words: peer and peer_port, both needed."
    )
    server: ServerText | None = Field(
        None, description="To a server; words: server and nic, both needed."
    )


class MoreDescriptions(Descriptions):
    """The same where ports lead outside, and are bundled."""

    external: ExternalText | None = Field(
        None,
        description="To a router outside, also tagged and through tunnels; word: peer, needed.",
    )
    bundle: BundleText | None = Field(
        None, description="Bundles of ports, to servers and to the outside; word: peer, needed."
    )
