"""Define the interface between the collector export and a network OS: the gNMI paths."""

from collections.abc import Callable, Mapping
from dataclasses import field

from fabricgen.core.record import record
from fabricgen.model.fabric.topology import Port, Switch


@record(kw_only=True)
class Subscription:
    """Sampled paths. `target` selects one of several databases of a switch.

    `source`: the document that lists the paths.
    """

    name: str
    paths: tuple[str, ...]
    source: str
    target: str = ""


@record()
class Metric:
    """Name of a value in gnmic, as a regular expression, and its name for all platforms.

    A name is the path without keys, each special character as `_`. `labels`: of the groups, in
    order.
    """

    pattern: str
    name: str
    labels: tuple[str, ...] = ()


@record(kw_only=True)
class Telemetry:
    """Subscriptions and metrics of a platform, with a sentence about undocumented values.

    `uncounted`: metrics that are always empty on a release, by its name. `port_label`: label of
    metrics of ports. `spelled`: its value, if it is not the name of the interface.
    """

    subscriptions: tuple[Subscription, ...]
    metrics: tuple[Metric, ...]
    lacks: str = ""
    uncounted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    port_label: str = "port"
    spelled: Callable[[Switch, Port], str] | None = None

    def has(self, metric: str) -> bool:
        """Return whether the platform has a metric."""
        return any(each.name == metric for each in self.metrics)

    def counts(self, metric: str, release: str) -> bool:
        """Return whether a release fills a metric."""
        return self.has(metric) and metric not in self.uncounted.get(release, ())


TRIMMED = "queue_trimmed"
"""Packets that a full queue trimmed."""
MARKED = "queue_ecn_marked"
"""Packets that a queue marked; the metric is the same on each platform that counts them."""
RECEIVED, SENT = "port_received_bytes", "port_sent_bytes"
"""Bytes of a port."""
