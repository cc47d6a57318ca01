"""Small switches for the checks: a reader that reads what a test names, and both states."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fabricgen.core.tree.facts import Facts, Topic
from fabricgen.model.settings.watching import WatchLimits
from fabricgen.nos.linux.show.reader import LINUX
from fabricgen.nos.measures import Measure
from fabricgen.nos.show import Observed, Part, Reader, Source
from fabricgen.prove.catalogue.engine import run
from fabricgen.prove.catalogue.load import chosen
from fabricgen.prove.catalogue.model import Check, Result, Subject
from fabricgen.prove.runs import Expected, topic

PORT = "Ethernet0"
"""A port with a lossless class unless a test says otherwise."""
Sources = dict[tuple[str, ...], Source]
Measures = dict[Measure, float]


def reader(about: Mapping[Topic, Part], measured: Mapping[str, Part]) -> Reader:
    return replace(LINUX, about=about, measured=measured)


def expected(facts: Facts, about: Mapping[Topic, Part], sources: Sources | None = None) -> Expected:
    return Expected(
        switch="leaf1",
        platform="test",
        facts=facts,
        designs={},
        ports={},
        optional=frozenset(),
        about=about,
        sources=sources or {},
    )


def check(name: str) -> Check:
    (found,) = chosen([name])
    return found


def result(
    name: str | Check,
    *,
    wanted: Facts | None = None,
    facts: Facts | None = None,
    now: Mapping[Measure, float] | None = None,
    then: Mapping[Measure, float] | None = None,
    sources: Sources | None = None,
    measured: Mapping[str, Part] | None = None,
    **more: Any,
) -> Result:
    """Return the result of a check. The reader reads all that the check needs.

    `wanted`, `facts`: expected and observed facts. `now`, `then`: measures of two snapshots that
    are ten seconds apart. `then` is None: there is one snapshot. `more`: `limits`, `platform`,
    `release`, the lossless priorities `paused`, the queues `marked`, and fields of the second
    snapshot. `read=False`: the reader has none of the topics.
    """
    asked = check(name) if isinstance(name, str) else name
    named = {topic(key, name) for key, own in (wanted or {}).items() for name in own}
    topics = asked.topics if more.pop("read", True) else ()
    about = dict.fromkeys((*topics, *named - {*asked.topics}), Part.INTERFACES)
    read = dict.fromkeys(asked.metrics, Part.COUNTERS) if measured is None else measured
    limits = more.pop("limits", WatchLimits())
    subject = Subject(
        expected=replace(
            expected(wanted or {}, about, sources),
            platform=more.pop("platform", "test"),
            release=more.pop("release", ("", "")),
            paused=more.pop("paused", {PORT: ("3",)}),
            marked=more.pop("marked", frozenset({(PORT, "3")})),
        ),
        observed=Observed(**{"facts": facts or {}, "measures": now or {}, "clock": 110.0, **more}),
        limits=limits,
        before=Observed(measures=then, clock=100.0) if then is not None else None,
    )
    (found,) = run([asked], subject, reader(about, read))
    return found
