"""Report looks whose numbers cannot be compared with the look before."""

from collections.abc import Iterator

from fabricgen.operate.state.watch.looks import Pair
from fabricgen.operate.state.watch.model import Level, Sight, Spot, WatchRule


def _restarted(sight: Sight, pair: Pair) -> Iterator[Spot]:
    del sight
    if pair.restarted:
        names = ", ".join(sorted(pair.restarted))
        yield Spot(
            switch=pair.plan.switch,
            sentence=f"{pair.plan.switch}: counters began again at zero ({names}), because the "
            "switch or a daemon restarted, or a user cleared them",
            metric="",
            value=float(len(pair.restarted)),
            limit=0.0,
            unit="metrics",
        )


def _no_rates(sight: Sight, pair: Pair) -> Iterator[Spot]:
    del sight
    if pair.before is not None and pair.seconds is None:
        yield Spot(
            switch=pair.plan.switch,
            sentence=f"{pair.plan.switch}: no rates: {pair.why}",
            metric="",
            value=0.0,
        )


READINGS = (
    WatchRule(
        name="CountersRestarted",
        level=Level.NOTE,
        meaning="Counters are smaller than in the look before, so there are no rates.",
        limit="a smaller counter",
        source="counters begin at zero after a restart: sonic-net/sonic-swss, new OIDs",
        metrics=(),
        finds=_restarted,
        grows=True,
    ),
    WatchRule(
        name="NoRates",
        level=Level.NOTE,
        meaning="The time between two looks is unknown, because the clock of the switch jumped.",
        limit="5 s and 20 % from our own clock",
        source="limit of this project",
        metrics=(),
        finds=_no_rates,
        grows=True,
    ),
)
"""Rules about the readings themselves."""
