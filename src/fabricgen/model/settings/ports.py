"""Declares the settings of leafs' ports: spanning tree, storms, errdisable recovery, fallback."""

from typing import Annotated, Literal

from fabricgen.core.record import record
from fabricgen.core.units import Percent
from fabricgen.model.settings.setting import Resolved, Setting


def _flood(kind: str, text: str) -> Setting:
    share = {"gt": 0, "le": 100, "multiple_of": 0.01}
    return Setting(text=text, fact=f"storm-{kind}", feature="storm-control", bounds=share)


@record(kw_only=True)
class StormControl:
    """What of a port's speed frames of a kind may take, coming in; what is more is dropped."""

    broadcast: Annotated[Percent | None, _flood("broadcast", "Percent for broadcasts.")] = None
    multicast: Annotated[Percent | None, _flood("multicast", "Percent for multicasts.")] = None
    unknown_unicast: Annotated[
        Percent | None,
        _flood(
            "unknown-unicast", "Percent for frames to MAC addresses that the leaf does not know."
        ),
    ] = None


@record(kw_only=True)
class PortProfile:
    """Settings of bridged ports of servers, under a name; what is not said is as by default."""

    portfast: Annotated[
        bool,
        Setting(
            text="The port forwards at once. Default: yes, where spanning tree runs.",
            fact="edge",
            feature="portfast",
        ),
    ] = True
    bpdu_guard: Annotated[
        bool,
        Setting(
            text="The port goes down when a bridge is behind it. Default: yes, where spanning "
            "tree runs.",
            fact="bpdu-guard",
            feature="bpdu-guard",
        ),
    ] = True
    storm_control: Annotated[StormControl, "Limits for floods that come in. Default: none."] = (
        StormControl()
    )


NO_PROFILE = Resolved(values=PortProfile())
"""The settings of a port without a profile."""

Cause = Literal["bpduguard", "lacp-rate-limit", "link-flap", "storm-control"]


@record(kw_only=True)
class Errdisable:
    """Ports that a leaf took down by itself, and when they come back."""

    recover: Annotated[
        tuple[Cause, ...],
        Setting(
            text="Causes after which a port comes back by itself.",
            fact="recovers",
            feature="errdisable-recovery",
            bounds={"min_length": 1},
            required=True,
            is_set=True,
        ),
    ] = ()
    after: Annotated[
        int,
        Setting(
            text="Seconds until then.",
            fact="recovery-interval",
            feature="errdisable-recovery",
            bounds={"ge": 30, "le": 86_400},
        ),
    ] = 300


@record(kw_only=True)
class LacpFallback:
    """The ports of a bundle before its server speaks LACP: each by itself, to boot by (PXE)."""

    timeout: Annotated[
        int | None,
        Setting(
            text="Seconds without LACP until then; default: the platform's.",
            fact="fallback-after",
            feature="lacp-fallback",
            bounds={"ge": 1, "le": 300},
        ),
    ] = None
