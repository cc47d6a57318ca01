"""Ports as people run them: profiles of bridged ports, BGP over routed ones, recovery."""

from typing import Annotated, Literal

from pydantic import Field

from fabricgen.intent.model.edge import MaxPrefixes
from fabricgen.intent.model.vocabulary import Asn, Name, Network, Words

Percent = Annotated[float, Field(gt=0, le=100, multiple_of=0.01)]


class StormControl(Words):
    """What of a port's speed frames of a kind may take, coming in; what is more is dropped."""

    broadcast: Percent | None = Field(None, description="Percent for broadcasts.")
    multicast: Percent | None = Field(None, description="Percent for multicasts.")
    unknown_unicast: Percent | None = Field(
        None, description="Percent for frames to MAC addresses that the leaf does not know."
    )


class PortProfile(Words):
    """Settings of bridged ports of servers, under a name; what is not said is as by default."""

    inherits: Name | None = Field(
        None, description="Another profile, whose settings hold where this one says none."
    )
    portfast: bool | None = Field(
        None, description="The port forwards at once. Default: yes, where spanning tree runs."
    )
    bpdu_guard: bool | None = Field(
        None,
        description="The port goes down when a bridge is behind it. Default: yes, where spanning "
        "tree runs.",
    )
    storm_control: StormControl | None = Field(
        None, description="Limits for floods that come in. Default: none."
    )


class Errdisable(Words):
    """Ports that a leaf took down by itself, and when they come back."""

    recover: list[Literal["bpduguard", "lacp-rate-limit", "link-flap", "storm-control"]] = Field(
        min_length=1, description="Causes after which a port comes back by itself."
    )
    after: int = Field(300, ge=30, le=86_400, description="Seconds until then.")


class HostBgp(Words):
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
        MaxPrefixes(count=1000, action="end"), description="Most prefixes of one server."
    )
    bfd: bool | None = Field(
        None,
        description="BFD with the timers of `underlay.bfd`, off where that is off; default: with "
        "frr, since Cilium and Calico have none.",
    )
