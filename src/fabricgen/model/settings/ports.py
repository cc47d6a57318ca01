"""Declares the settings of leafs' ports: spanning tree, storms, errdisable recovery, fallback."""

from typing import Any, Literal

from fabricgen.core.record import record
from fabricgen.core.units import Percent
from fabricgen.model.settings.setting import Resolved, required, setting

_SHARE: dict[str, Any] = {"feature": "storm-control", "gt": 0, "le": 100, "multiple_of": 0.01}


@record(kw_only=True)
class StormControl:
    """Limits of incoming frames in percent of the port speed; excess frames are dropped."""

    broadcast: Percent | None = setting(
        None, "Percent for broadcasts.", fact="storm-broadcast", **_SHARE
    )
    multicast: Percent | None = setting(
        None, "Percent for multicasts.", fact="storm-multicast", **_SHARE
    )
    unknown_unicast: Percent | None = setting(
        None,
        "Percent for frames to MAC addresses that the leaf has not learned.",
        fact="storm-unknown-unicast",
        **_SHARE,
    )


@record(kw_only=True)
class PortProfile:
    """Named settings of bridged server ports. Omitted settings have their defaults."""

    portfast: bool = setting(
        default=True,
        text="The port forwards immediately. Default: yes if spanning tree runs.",
        fact="edge",
        feature="portfast",
    )
    bpdu_guard: bool = setting(
        default=True,
        text="The port goes down when it receives a BPDU. Default: yes if spanning tree runs.",
        fact="bpdu-guard",
        feature="bpdu-guard",
    )
    storm_control: StormControl = setting(
        StormControl(),
        "Limits for incoming broadcast, multicast and unknown unicast frames. Default: none.",
    )


NO_PROFILE = Resolved(values=PortProfile())
"""The settings of a port without a profile."""

Cause = Literal["bpduguard", "lacp-rate-limit", "link-flap", "storm-control"]


@record(kw_only=True)
class Errdisable:
    """Causes and delay of automatic recovery of err-disabled ports."""

    recover: tuple[Cause, ...] = required(
        "Causes after which a port recovers automatically.",
        fact="recovers",
        feature="errdisable-recovery",
        is_set=True,
        min_length=1,
    )
    after: int = setting(
        300,
        "Seconds until recovery.",
        fact="recovery-interval",
        feature="errdisable-recovery",
        ge=30,
        le=86_400,
    )


@record(kw_only=True)
class LacpFallback:
    """Operation of port-channel members without LACP: each port works alone, for PXE boot."""

    timeout: int | None = setting(
        None,
        "Seconds without LACP before fallback. Default: from the platform.",
        fact="fallback-after",
        feature="lacp-fallback",
        ge=1,
        le=300,
    )


@record(kw_only=True)
class AnyPorts:
    """Ports of servers on fabrics of every kind that servers send data through."""

    dcbx: Literal["ieee"] | None = setting(
        None,
        "The leafs announce PFC and ETS to the server by DCBX (IEEE 802.1Qaz). Needs a lossless "
        "class. Default: off.",
        fact="dcbx",
        feature="dcbx",
    )


@record(kw_only=True)
class PortSet(AnyPorts):
    """Ports of every server of a kind to one fabric. The fabric decides the valid keys."""

    lacp_fallback: LacpFallback | None = setting(
        None,
        "With `bond: lacp`: ports work alone in the untagged VLAN while no LACP arrives. A "
        "server needs this to boot over the network.",
        feature="lacp-fallback",
    )
    lacp_rate: Literal["fast", "slow"] | None = setting(
        None,
        "With `bond: lacp`: LACPDU interval that the leafs request from the server, one second "
        "(fast) or 30 seconds (slow). Default: from the platform. Servers always request fast.",
        fact="lacp-rate",
        feature="lacp-rate",
    )


NO_SETTINGS = PortSet()
"""The settings of a port outside every set."""
