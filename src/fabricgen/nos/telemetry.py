"""Defines the interface between the collector export and a network OS: the gNMI paths."""

from collections.abc import Mapping
from dataclasses import field

from fabricgen.core.record import record


@record(kw_only=True)
class Subscription:
    """Paths that are sampled. target: the database that is meant, where a switch has several.

    source: who documents the paths.
    """

    name: str
    paths: tuple[str, ...]
    source: str
    target: str = ""


@record()
class Metric:
    """How gnmic names a value, as a regular expression, and what it is called for all platforms.

    A name is the path without keys, each odd character as `_`. labels: of the groups, in order.
    """

    pattern: str
    name: str
    labels: tuple[str, ...] = ()


@record(kw_only=True)
class Telemetry:
    """What is asked, what it is called, and in a sentence what no document says how to ask for.

    uncounted: metrics that are always empty on a release, by its name.
    """

    subscriptions: tuple[Subscription, ...]
    metrics: tuple[Metric, ...]
    lacks: str = ""
    uncounted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def counts(self, metric: str, release: str) -> bool:
        """Tell whether a release fills a metric."""
        asked = any(each.name == metric for each in self.metrics)
        return asked and metric not in self.uncounted.get(release, ())


MARKED = "queue_ecn_marked"
"""Packets that a queue marked: the metric of each platform that counts them."""
