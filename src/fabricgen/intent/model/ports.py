"""Defines the intent keys of port profiles, BGP over routed server ports and error recovery."""

from typing import Literal

from pydantic import Field

from fabricgen.intent.model.edge import MaxPrefixes
from fabricgen.intent.model.vocabulary import Asn, IntentModel, Name, Network
from fabricgen.intent.settings import carries
from fabricgen.model.settings import ports


@carries(ports.PortProfile)
class PortProfile(IntentModel):
    """A port profile: `inherits`, and the settings of model/settings/ports.py."""

    inherits: Name | None = Field(
        None, description="Another profile whose settings apply where this one has none."
    )


@carries(ports.Errdisable)
class Errdisable(IntentModel):
    """Errdisable recovery in the intent: the settings of model/settings/ports.py."""


class HostBgp(IntentModel):
    """BGP between leafs and servers on routed ports, with the prefixes that servers advertise."""

    asn: Asn = Field(description="ASN of the servers, private or public, the same on each server.")
    speaker: Literal["frr", "cilium", "calico"] = Field(
        "frr",
        description="BGP software on the servers. fabricgen writes frr.conf, or manifests of "
        "Cilium or Calico.",
    )
    accept: list[Network] = Field(
        min_length=1,
        max_length=100,
        description="Prefixes of pods, services and loopbacks. A server may advertise each "
        "prefix and its parts. Add new entries at the end.",
    )
    max_prefixes: MaxPrefixes = Field(
        MaxPrefixes.model_validate({"count": 1000, "action": "end"}),
        description="Maximum prefixes from one server.",
    )
    bfd: bool | None = Field(
        None,
        description="BFD with the timers of `underlay.bfd`. Off if `underlay.bfd` is off. "
        "Default: on with frr, since Cilium and Calico have none.",
    )


class BackupBgp(HostBgp):
    """BGP with servers of a backup replica, derived from an application; no key defines it."""
