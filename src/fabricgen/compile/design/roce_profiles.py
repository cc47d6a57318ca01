"""Define the RoCE profiles that vendors publish, each with its source.

A profile contains what its owner publishes, and no more. It fills in what the intent omits, so a
key of the intent always wins. Values that a profile lacks come from `computed`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, TypeVar

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond, Bytes
from fabricgen.intent.model.qos import Trimming
from fabricgen.intent.model.vocabulary import IntentModel
from fabricgen.model.fabric.qos import Marking

if TYPE_CHECKING:
    from fabricgen.intent.model.qos import Roce

    Published = Mapping[str, "int | Published"]

REFERENCE = BitsPerSecond(25 * 10**9)
_Words = TypeVar("_Words", bound=IntentModel)
_ABSENT: Mapping[str, type[IntentModel]] = {"trimming": Trimming}
"""Keys that are absent unless a profile or a person adds them."""


@record(kw_only=True)
class Points:
    """Kmin and Kmax in bytes, Pmax in percent; with `scales` for 25G, growing with the speed."""

    minimum: int
    maximum: int
    probability: int
    scales: bool = False


@record(kw_only=True)
class RoceProfile:
    """Published values of one vendor; `keys` are other keys of `roce`.

    lossless and best_effort are shares in percent, without strict classes. unmarked: reason for
    missing marking points in bytes. above: points of spines and superspines, if they differ from
    leafs. leaf_only: text about the values of spines.
    """

    source: str
    points: Points | None = None
    above: Points | None = None
    lossless: int = 50
    best_effort: int = 50
    keys: Published = field(default_factory=dict)
    unmarked: str = ""
    leaf_only: str = ""

    def marking(self, speed: BitsPerSecond, *, above: bool = False) -> Marking | None:
        """Return the marking points for a port of that speed, None where none are published."""
        points = (self.above if above else None) or self.points
        if points is None:
            return None
        factor = speed / REFERENCE if points.scales else 1
        return Marking(
            Bytes(round(points.minimum * factor)),
            Bytes(round(points.maximum * factor)),
            points.probability,
        )

    @property
    def watchdog(self) -> tuple[int, int, int] | None:
        """The published timers: poll, detection and restoration in ms."""
        timers = self.keys.get("watchdog")
        if timers is None or isinstance(timers, int):
            return None
        poll, detection, restoration = timers["poll"], timers["detection"], timers["restoration"]
        assert isinstance(poll, int)
        assert isinstance(detection, int)
        assert isinstance(restoration, int)
        return poll, detection, restoration


def adopted(roce: Roce) -> Roce:
    """Return the intent with the published values of its profile for missing keys."""
    return _filled(roce, PROFILES[roce.profile].keys)


def _filled(words: _Words, published: Published) -> _Words:
    changes: dict[str, object] = {}
    for key, value in published.items():
        if key in _ABSENT and getattr(words, key) is None:
            if key not in words.model_fields_set:
                changes[key] = _ABSENT[key].model_validate(value)
        elif not isinstance(value, int):
            changes[key] = _filled(getattr(words, key), value)
        elif key in vars(words) and key not in words.model_fields_set:
            changes[key] = value
    return words.model_copy(update=changes)


PROFILES = {
    "computed": RoceProfile(
        source="marking computed from speed, distance and memory (docs/design/lossless.md); "
        "shares as NVIDIA's"
    ),
    # 1500000 is what NVUE shows of the applied defaults; the table of the RoCE page says 1501500,
    # the output of `nv show qos roce` on the same page 1.43 MB. The page has no watchdog.
    "nvidia-roce": RoceProfile(
        source="NVIDIA Cumulus Linux 5.x, `nv set qos roce`: ECN 150000-1500000 bytes, DWRR 50/50 "
        "(CumulusNetworks/docs cumulus-linux-514 RDMA-over-Converged-Ethernet-RoCE.md)",
        points=Points(minimum=150_000, maximum=1_500_000, probability=100),
        lossless=50,
        best_effort=50,
        keys={"dscp": 26, "priority": 3, "cnp": {"dscp": 48, "priority": 6}},
    ),
    # Weights 15 and 14 are 52 and 48 %. pfcwd start_default multiplies its timers by the number of
    # ports over 32; these timers are for up to 32 ports. Priority 4 is lossless there as well.
    "sonic-default": RoceProfile(
        source="sonic-buildimage files/build_templates/qos_config.j2: AZURE_LOSSLESS, DSCP 3, "
        "shares from its scheduler weights 15 and 14; sonic-utilities pfcwd/main.py: 200 ms each",
        points=Points(minimum=1_048_576, maximum=2_097_152, probability=5),
        lossless=52,
        best_effort=48,
        keys={
            "dscp": 3,
            "priority": 3,
            "watchdog": {"poll": 200, "detection": 200, "restoration": 200},
        },
    ),
    # A kilobyte is taken as 1000 bytes; EOS is configured in bytes. CS3 is DSCP 24. The quotation
    # says that the guide marks CNPs differently than NVIDIA's 48, without a value: they keep the
    # default.
    "arista-ai-leaf": RoceProfile(
        source="Arista AI Network Fabric Deployment Guide, leaf values, quoted second-hand: "
        "ECN 256-512 kbytes, 100 %, bandwidth percent 95 and 5, RoCE in CS3",
        points=Points(minimum=256_000, maximum=512_000, probability=100),
        lossless=95,
        best_effort=5,
        keys={"dscp": 24, "priority": 3, "cnp": {"priority": 6}},
        leaf_only="spines have ECN 512,000 to 768,000 bytes there, which `arista-ai` has as well",
    ),
    "arista-ai": RoceProfile(
        source="Arista AI Network Fabric Deployment Guide, quoted second-hand: ECN 256-512 kbytes "
        "on leafs, 512-768 kbytes on spines, 100 %, bandwidth percent 95 and 5, RoCE in CS3",
        points=Points(minimum=256_000, maximum=512_000, probability=100),
        above=Points(minimum=512_000, maximum=768_000, probability=100),
        lossless=95,
        best_effort=5,
        keys={"dscp": 24, "priority": 3, "cnp": {"priority": 6}},
    ),
    # Its CNPs are in qos-group 7, which is the class of routing protocols here: they keep their
    # own. Another copy has shares 60/40; two have 50/50. A kilobyte is taken as 1000 bytes.
    "cisco-nexus-ai": RoceProfile(
        source="Cisco Data Center Networking Blueprint for AI/ML Applications, Nexus 9000, quoted "
        "second-hand: ECN 150-3000 kbytes, 7 %, bandwidth remaining percent 50/50, DSCP 24 and 48",
        points=Points(minimum=150_000, maximum=3_000_000, probability=7),
        lossless=50,
        best_effort=50,
        keys={"dscp": 24, "priority": 3, "cnp": {"dscp": 48}},
    ),
    # Its queues are 4 for RoCE (PFC priority 3) and 3 for CNPs; a class has the number of its
    # priority here. NO-LOSS has no transmit-rate there, so it publishes no shares. The timers are
    # what `pfc-watchdog` does without options: 100 ms, 2 intervals, 200 ms.
    "juniper-jvd": RoceProfile(
        source="Juniper/jvd data_center/aidc/aiml_multitenancy_backend rdma-rocev2-lossless.conf "
        "(QFX5240): DSCP 26 and 48, PFC priority 3; timers from Junos' PFC watchdog page",
        keys={
            "dscp": 26,
            "priority": 3,
            "cnp": {"dscp": 48},
            "watchdog": {"poll": 100, "detection": 200, "restoration": 200},
        },
        unmarked=(
            "it marks from 55 to 90 % of a queue's dynamic limit, which is not a number of bytes"
        ),
    ),
    "hpcc-scaled": RoceProfile(
        source="alibaba-edu/High-Precision-Congestion-Control run.py (DCQCN, per 25G of port "
        "speed); shares as in nvidia-roce",
        points=Points(minimum=100_000, maximum=400_000, probability=20, scales=True),
    ),
    # `nv show qos roce` there: enabled-tc 1,2,3, 163.00 KB and 234.00 KB with 1,024 bytes each (its
    # 150,000 bytes are 146.48 KB), DSCP 5 and 6 in class 3, DSCP 11 in class 4. Its CNPs are best
    # effort, and its shares are for three classes of data, so both keep their own values here.
    "nvidia-lossy-multi-tc": RoceProfile(
        source="NVIDIA Cumulus Linux 5.14, `nv set qos roce mode lossy-multi-tc`: no PFC, ECN "
        "166,912-239,616 bytes, 5 %, packets trimmed to 256 bytes with DSCP 11 in class 4 "
        "(CumulusNetworks/docs RDMA-over-Converged-Ethernet-RoCE.md, Packet-Trimming.md)",
        points=Points(minimum=166_912, maximum=239_616, probability=5),
        keys={
            "dscp": 5,
            "priority": 3,
            "pfc": False,
            "trimming": {"size": 256, "dscp": 11, "priority": 4},
        },
    ),
}
