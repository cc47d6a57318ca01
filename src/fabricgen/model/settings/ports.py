"""Declares the settings of leafs' ports: spanning tree, storms, errdisable recovery, fallback."""

from typing import Any, Literal

from fabricgen.core.record import record
from fabricgen.core.units import Percent
from fabricgen.model.settings.setting import Resolved, required, setting

_SHARE: dict[str, Any] = {"feature": "storm-control", "gt": 0, "le": 100, "multiple_of": 0.01}


@record(kw_only=True)
class StormControl:
    """What of a port's speed frames of a kind may take, coming in; what is more is dropped."""

    broadcast: Percent | None = setting(
        None, "Percent for broadcasts.", fact="storm-broadcast", **_SHARE
    )
    multicast: Percent | None = setting(
        None, "Percent for multicasts.", fact="storm-multicast", **_SHARE
    )
    unknown_unicast: Percent | None = setting(
        None,
        "Percent for frames to MAC addresses that the leaf does not know.",
        fact="storm-unknown-unicast",
        **_SHARE,
    )


@record(kw_only=True)
class PortProfile:
    """Settings of bridged ports of servers, under a name; what is not said is as by default."""

    portfast: bool = setting(
        default=True,
        text="The port forwards at once. Default: yes, where spanning tree runs.",
        fact="edge",
        feature="portfast",
    )
    bpdu_guard: bool = setting(
        default=True,
        text="The port goes down when a bridge is behind it. Default: yes, where spanning tree "
        "runs.",
        fact="bpdu-guard",
        feature="bpdu-guard",
    )
    storm_control: StormControl = setting(
        StormControl(), "Limits for floods that come in. Default: none."
    )


NO_PROFILE = Resolved(values=PortProfile())
"""The settings of a port without a profile."""

Cause = Literal["bpduguard", "lacp-rate-limit", "link-flap", "storm-control"]


@record(kw_only=True)
class Errdisable:
    """Ports that a leaf took down by itself, and when they come back."""

    recover: tuple[Cause, ...] = required(
        "Causes after which a port comes back by itself.",
        fact="recovers",
        feature="errdisable-recovery",
        is_set=True,
        min_length=1,
    )
    after: int = setting(
        300,
        "Seconds until then.",
        fact="recovery-interval",
        feature="errdisable-recovery",
        ge=30,
        le=86_400,
    )


@record(kw_only=True)
class LacpFallback:
    """The ports of a bundle before its server speaks LACP: each by itself, to boot by (PXE)."""

    timeout: int | None = setting(
        None,
        "Seconds without LACP until then; default: the platform's.",
        fact="fallback-after",
        feature="lacp-fallback",
        ge=1,
        le=300,
    )


@record(kw_only=True)
class PortSet:
    """Ports of every server of a kind that go to one fabric, which decides what keys it takes."""

    lacp_fallback: LacpFallback | None = setting(
        None,
        "With `bond: lacp`: ports work by themselves while no LACP comes, for a server that boots "
        "over the network, in the untagged VLAN.",
        feature="lacp-fallback",
    )
    lacp_rate: Literal["fast", "slow"] | None = setting(
        None,
        "With `bond: lacp`: how often the leafs ask the server for LACPDUs, each second or every "
        "30 seconds; default: the platform's. The server's own files ask for fast.",
        fact="lacp-rate",
        feature="lacp-rate",
    )


NO_SETTINGS = PortSet()
"""The settings of a port that is of no set."""
