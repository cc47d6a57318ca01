"""Defines the intent keys of port profiles, BGP over routed server ports and error recovery."""

from typing import Literal

from pydantic import Field

from fabricgen.intent.model.edge import MaxPrefixes
from fabricgen.intent.model.vocabulary import Asn, IntentModel, Name, Network
from fabricgen.intent.settings import carries
from fabricgen.model.settings import ports


@carries(ports.PortProfile)
class PortProfile(IntentModel):
    """A profile in the intent: `inherits`, and the settings of model/settings/ports.py."""

    inherits: Name | None = Field(
        None, description="Another profile, whose settings hold where this one says none."
    )


@carries(ports.Errdisable)
class Errdisable(IntentModel):
    """Errdisable recovery in the intent: the settings of model/settings/ports.py."""


class HostBgp(IntentModel):
    """BGP between leafs and servers on routed ports: what servers announce, and how they speak."""

    asn: Asn = Field(description="ASN of the servers, the same on each; private or public.")
    speaker: Literal["frr", "cilium", "calico"] = Field(
        "frr",
        description="What speaks on the servers, which decides what is written for them: frr.conf, "
        "or manifests of Cilium or Calico.",
    )
    accept: list[Network] = Field(
        min_length=1,
        max_length=100,
        description="Blocks of pods, services and loopbacks: a server may announce each, and any "
        "part of it. New ones go to the end.",
    )
    max_prefixes: MaxPrefixes = Field(
        MaxPrefixes.model_validate({"count": 1000, "action": "end"}),
        description="Most prefixes of one server.",
    )
    bfd: bool | None = Field(
        None,
        description="BFD with the timers of `underlay.bfd`, off where that is off; default: with "
        "frr, since Cilium and Calico have none.",
    )
