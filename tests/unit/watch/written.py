"""Written measures of switches, as a SONiC reader would return them. No switch was asked.

Every lossless port counts the same calm traffic. A test adds what differs.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from fabricgen.nos.measures import Measure
from fabricgen.operate.state.watch.looks import Look, Seen
from fabricgen.prove.catalogue.thresholds import HEADROOM, KMAX, PAUSE_AT, POOL, LosslessPlan

SAMPLED = {
    **dict.fromkeys(("pause-received", "pause-sent", "link-pause-received"), 1.0),
    "paused-time": 0.2,
    **dict.fromkeys(("link-pause-sent",), 1.0),
    **dict.fromkeys(("ecn-marked", "queue-packets", "queue-drops", "group-drops"), 10.0),
    **dict.fromkeys(("watchdog-storms", "watchdog-restored"), 0.2),
    **dict.fromkeys(("queue-peak", "group-peak", "headroom-peak", "pool-headroom-peak"), 60.0),
}
"""Polls of SONiC: sonic-buildimage files/build_templates/init_cfg.json.j2."""
BOOT = 1_900_000_000.0
PACKETS = 2_000_000.0
MARKS = 4_000.0
PRIORITIES = tuple(map(str, range(8)))

Rates = Mapping[Measure, float]


@dataclass
class Series:
    """A series of looks with counters that grow at constant rates.

    `rates`: growth per second by switch and measure, on top of the calm traffic. `levels`: values
    by switch and measure that replace the calm ones. `unknown`: reasons by switch and metric.
    `silent`: reasons of switches that do not answer. `cnps`: CNPs a second by server.
    """

    plans: Mapping[str, LosslessPlan]
    rates: dict[str, dict[Measure, float]] = field(default_factory=dict)
    levels: dict[str, dict[Measure, float]] = field(default_factory=dict)
    unknown: dict[str, dict[Measure, str]] = field(default_factory=dict)
    silent: dict[str, str] = field(default_factory=dict)
    cnps: dict[str, float] | None = None
    marks: float = MARKS

    def look(self, at: float) -> Look:
        """Return the look `at` seconds after the start."""
        return Look(
            taken=at,
            seen={
                name: self._seen(plan, at)
                for name, plan in self.plans.items()
                if name not in self.silent
            },
            silent=self.silent,
            cnps=None if self.cnps is None else {name: at * it for name, it in self.cnps.items()},
        )

    def looks(self, *times: float) -> Iterable[Look]:
        """Yield looks."""
        return map(self.look, times)

    def _seen(self, plan: LosslessPlan, at: float) -> Seen:
        rates = self._calm(plan) | self.rates.get(plan.switch, {})
        unknown = self.unknown.get(plan.switch, {})
        measures = {
            **{measure: 1000.0 + rate * at for measure, rate in rates.items()},
            **_levels(plan),
            **self.levels.get(plan.switch, {}),
        }
        return Seen(
            taken=at,
            measures={
                key: value
                for key, value in measures.items()
                if key not in unknown and key[:1] not in unknown
            },
            sampled=SAMPLED,
            clock=BOOT + at,
            unknown=unknown,
        )

    def _calm(self, plan: LosslessPlan) -> dict[Measure, float]:
        found: dict[Measure, float] = {}
        for name in plan.ports:
            found |= {("link-pause-received", name): 0.0, ("link-pause-sent", name): 0.0}
        for port in plan.lossless:
            for number in PRIORITIES:
                own = port.name, number
                is_lossless = number in plan.paused
                found |= {
                    ("pause-received", *own): 0.0,
                    ("pause-sent", *own): 0.0,
                    ("paused-time", *own): 0.0,
                    ("queue-packets", *own): PACKETS if is_lossless else 0.0,
                    ("queue-drops", *own): 0.0,
                    ("group-drops", *own): 0.0,
                    ("ecn-marked", *own): self.marks if number in plan.marked else 0.0,
                }
                if is_lossless:
                    found |= {("watchdog-storms", *own): 0.0, ("watchdog-restored", *own): 0.0}
            if plan.cnp is not None:
                found["queue-packets", port.name, plan.cnp] = self.marks
        return found


def _levels(plan: LosslessPlan) -> dict[Measure, float]:
    """Return calm peaks: some percent of each threshold, not equal everywhere."""
    found: dict[Measure, float] = {}
    if (POOL,) in plan.numbers:
        found["pool-headroom-peak", "ingress_lossless_pool"] = 0.01 * plan.numbers[POOL,]
    for place, port in enumerate(plan.lossless):
        for number in plan.paused:
            own = port.name, number
            for metric, key, share in (
                ("headroom-peak", HEADROOM, 0.02),
                ("group-peak", PAUSE_AT, 0.10),
                ("queue-peak", KMAX, 0.15),
            ):
                computed = plan.numbers.get((key, *own))
                if computed is not None:
                    found[(metric, *own)] = round(computed * share * (1 + place % 7 / 10))
    return found
