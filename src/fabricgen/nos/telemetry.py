"""The seam between the export for collectors and a network OS: what its gNMI server is asked."""

from fabricgen.record import record


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
    """What is asked, what it is called, and in a sentence what no document says how to ask for."""

    subscriptions: tuple[Subscription, ...]
    metrics: tuple[Metric, ...]
    lacks: str = ""
