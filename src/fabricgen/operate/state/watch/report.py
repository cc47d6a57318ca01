"""Check one look at all switches, and return a report."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from fabricgen.core.record import record
from fabricgen.model.settings.watching import WatchLimits
from fabricgen.nos.show import Source
from fabricgen.operate.state.watch.looks import METRICS, Look, Pair, pair
from fabricgen.operate.state.watch.model import Found, Level, Sight, Spot, WatchRule
from fabricgen.operate.state.watch.ranking import Tight, tightest
from fabricgen.operate.state.watch.rules import RULES
from fabricgen.prove.catalogue.thresholds import LosslessPlan

Sources = Mapping[str, Mapping[tuple[str, ...], Source]]
"""Places of metrics in the answers, by platform."""
RATES = ("pause-received", "pause-sent", "ecn-marked", "queue-drops", "group-drops")
"""The metrics whose sums a report has."""
_TOP = 10


@record(kw_only=True)
class Gap:
    """Objects that a rule did not check, with the reason. They are not fine, but unknown.

    Attributes:
        switches: Names of the switches.
        missing, objects: Number of objects without a value, and of all.
    """

    rule: str
    reason: str
    switches: tuple[str, ...]
    missing: int
    objects: int


@record(kw_only=True)
class Flow:
    """Sums of one tier of a fabric.

    Attributes:
        rates: Growth per second by metric. An absent one is unknown.
        partial: Metrics that not every switch of the tier counts.
    """

    fabric: str
    tier: int
    switches: int
    silent: int
    rates: Mapping[str, float]
    partial: frozenset[str]


@record(kw_only=True)
class Report:
    """Result of one look.

    Attributes:
        taken: Our time of the look, as in `Look`.
        looks: Number of looks so far.
        seconds: Time since the look before, None for the first.
        switches: Number of watched switches.
        others: Number of switches without a lossless class.
        tightest: Peaks with the largest share of their threshold.
        checked: By rule, the number of switches that it checked.
        sampled: Longest seconds between two samples of a metric on the switches.

    """

    site: str
    taken: float
    looks: int
    seconds: float | None
    switches: int
    others: int
    silent: Mapping[str, str]
    findings: tuple[Found, ...]
    tightest: tuple[Tight, ...]
    flows: tuple[Flow, ...]
    gaps: tuple[Gap, ...]
    checked: Mapping[str, int]
    sampled: Mapping[str, float]

    @property
    def above(self) -> tuple[Found, ...]:
        """Return the findings that exceed a limit."""
        return tuple(each for each in self.findings if each.level in (Level.ALARM, Level.WARNING))


class Watcher:
    """Checks one look after the other."""

    def __init__(
        self,
        plans: Mapping[str, LosslessPlan],
        limits: WatchLimits,
        *,
        site: str = "",
        others: int = 0,
        sources: Sources | None = None,
        rules: Sequence[WatchRule] = RULES,
    ) -> None:
        """Set the design of the watched switches, and the limits. others: unwatched switches."""
        self.plans, self._limits, self._site, self._others = plans, limits, site, others
        self._sources, self._rules = sources or {}, rules
        self._before: Look | None = None
        self._since: dict[tuple[str, ...], float] = {}
        self._looks = 0

    def report(self, look: Look) -> Report:
        """Return the report of a look, next to the look before."""
        before, self._before = self._before, look
        self._looks += 1
        made = (pair(plan, before, look) for plan in self.plans.values())
        pairs = {each.plan.switch: each for each in made if each is not None}
        sight = Sight(pairs=pairs, limits=self._limits, before=before, now=look)
        gaps, checked, spots = _Gaps(), dict[str, int](), list[tuple[WatchRule, Spot]]()
        for rule in self._rules:
            ready = [each for each in pairs.values() if _is_ready(rule, each, gaps)]
            checked[rule.name] = len(ready)
            spots += ((rule, spot) for spot in _spots(rule, sight, ready, gaps))
        sampled = _sampled(pairs.values())
        return Report(
            site=self._site,
            taken=look.taken,
            looks=self._looks,
            seconds=look.taken - before.taken if before is not None else None,
            switches=len(self.plans),
            others=self._others,
            silent={name: why for name, why in look.silent.items() if name in self.plans},
            findings=self._found(spots, pairs, look.taken, sampled),
            tightest=tuple(tightest(pairs.values(), _TOP)),
            flows=tuple(_flows(self.plans, pairs)),
            gaps=gaps.all(),
            checked=checked,
            sampled=sampled,
        )

    def _found(
        self,
        spots: Iterable[tuple[WatchRule, Spot]],
        pairs: Mapping[str, Pair],
        taken: float,
        sampled: Mapping[str, float],
    ) -> tuple[Found, ...]:
        """Return the findings, the most urgent first, with the time since they are there."""
        since: dict[tuple[str, ...], float] = {}
        found = []
        for rule, spot in spots:
            key = (rule.name, spot.switch, spot.port, spot.number, spot.metric)
            since[key] = self._since.get(key, taken)
            own = pairs.get(spot.switch)
            source = self._sources.get(own.plan.platform, {}).get((spot.metric,)) if own else None
            guessed = source is not None and bool(source.guess)
            found.append(
                Found(
                    rule=rule.name,
                    level=Level.UNVERIFIED if guessed else spot.level or rule.level,
                    spot=spot,
                    since=taken - since[key],
                    sampled=(own.now.sampled if own else sampled).get(spot.metric),
                    read=source.text if source is not None else "",
                    source=rule.source,
                )
            )
        self._since = since
        return tuple(sorted(found, key=_urgency))


_LEVELS = tuple(Level)


def _urgency(found: Found) -> tuple[int, float]:
    spot = found.spot
    return _LEVELS.index(found.level), -(spot.value / spot.limit if spot.limit else spot.value)


class _Gaps:
    """Collects what rules did not check."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], list[tuple[str, int, int]]] = defaultdict(list)

    def add(self, rule: str, reason: str, switch: str, missing: int = 0, objects: int = 0) -> None:
        self._found[rule, reason].append((switch, missing, objects))

    def all(self) -> tuple[Gap, ...]:
        return tuple(
            Gap(
                rule=rule,
                reason=reason,
                switches=tuple(dict.fromkeys(name for name, _, _ in own)),
                missing=sum(missing for _, missing, _ in own),
                objects=sum(objects for _, _, objects in own),
            )
            for (rule, reason), own in self._found.items()
        )


def _is_ready(rule: WatchRule, own: Pair, gaps: _Gaps) -> bool:
    """Return whether a rule can check a switch, and note all that it cannot check."""
    plan = own.plan
    if not rule.applies(plan):
        return False
    if rule.threshold and not any(key[0] == rule.threshold for key in plan.numbers):
        gaps.add(rule.name, f"the model does not compute {rule.threshold}", plan.switch)
        return False
    ready = True
    for metric in (*rule.metrics, *rule.also):
        if metric in own.uncounted:
            why, missing, objects = own.uncounted[metric]
            gaps.add(rule.name, f"{metric} not counted: {why}", plan.switch, missing, objects)
            ready = ready and (missing < objects or metric in rule.also)
    if ready and rule.grows | rule.rates and own.before is None:
        gaps.add(rule.name, own.why, plan.switch)
        return False
    if ready and rule.rates and own.seconds is None:
        gaps.add(rule.name, f"no rates: {own.why}", plan.switch)
        return False
    return ready


def _spots(rule: WatchRule, sight: Sight, ready: list[Pair], gaps: _Gaps) -> Iterator[Spot]:
    if rule.finds is not None:
        for each in ready:
            yield from rule.finds(sight, each)
    if rule.whole is None:
        return
    fabrics: dict[str, list[Pair]] = defaultdict(list)
    for each in ready:
        fabrics[each.plan.fabric].append(each)
    for own in fabrics.values():
        if reason := rule.lacks(sight, own) if rule.lacks is not None else "":
            for each in own:
                gaps.add(rule.name, reason, each.plan.switch)
        else:
            yield from rule.whole(sight, own)


def _flows(plans: Mapping[str, LosslessPlan], pairs: Mapping[str, Pair]) -> Iterator[Flow]:
    """Yield the sums of each tier."""
    tiers: dict[tuple[str, int], list[str]] = defaultdict(list)
    for name, plan in plans.items():
        tiers[plan.fabric, plan.tier].append(name)
    for (fabric, tier), names in tiers.items():
        own = [pairs[name] for name in names if name in pairs]
        rates, partial = {}, set()
        for metric in RATES:
            counted = [found for each in own if (found := each.rates(metric))]
            if counted:
                rates[metric] = sum(sum(found.values()) for found in counted)
            if len(counted) < len(names):
                partial.add(metric)
        yield Flow(
            fabric=fabric,
            tier=tier,
            switches=len(names),
            silent=len(names) - len(own),
            rates=rates,
            partial=frozenset(partial),
        )


def _sampled(pairs: Iterable[Pair]) -> dict[str, float]:
    """Return the longest interval of each metric."""
    found: dict[str, float] = {}
    for each in pairs:
        for metric in METRICS:
            if (seconds := each.now.sampled.get(metric)) is not None:
                found[metric] = max(seconds, found.get(metric, 0.0))
    return found
