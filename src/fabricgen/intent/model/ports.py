"""Ports as people run them: how servers on routed ports speak BGP with their leafs."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from fabricgen.intent.model.vocabulary import Asn, Network, Words


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
    most: int = Field(
        1000,
        ge=1,
        le=100_000,
        description="Most routes of one server; with more its session is closed.",
    )
    bfd: bool | None = Field(
        None,
        description="BFD with the timers of `underlay.bfd`, off where that is off; default: with "
        "frr, since Cilium and Calico have none.",
    )
