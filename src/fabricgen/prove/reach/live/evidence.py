"""Gather the three witnesses of a path: the model, the files and the running state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.compile.compiler import slices
from fabricgen.model.fabric.topology import Switch
from fabricgen.nos.registry import nos, reader_of
from fabricgen.prove.evidence import cables
from fabricgen.prove.reach.live.branches import Ground
from fabricgen.prove.reach.live.follow import Follow
from fabricgen.prove.reach.live.sides import Side
from fabricgen.prove.verifier import expectations
from fabricgen.prove.written import judge_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from fabricgen.compile.compiler import Owner
    from fabricgen.model.fabric.switch import Site
    from fabricgen.nos.show import Observed
    from fabricgen.prove.reach.live.follow import Route
    from fabricgen.prove.reach.live.steps import LivePath
    from fabricgen.prove.walk.exchange import Exchange

    Texts = Iterable[tuple[Owner, Mapping[str, str]]]


def ground_of(site: Site, running: Collection[str]) -> Ground:
    """Return the model of the running switches."""
    return Ground(
        expected=expectations(site, frozenset(running)),
        slices={each.switch.name: each for _, each in slices(site) if each.switch.name in running},
        cables=cables(site),
    )


def files_of(texts: Texts, running: Collection[str]) -> list[tuple[Owner, Mapping[str, str]]]:
    """Return the files of the running switches and of all servers.

    A lab may have a part of the switches. The others advertise no routes there.
    """
    return [each for each in texts if not isinstance(each[0], Switch) or each[0].name in running]


def live_path(
    way: Route,
    ground: Ground,
    files: tuple[Texts, Exchange],
    seen: Mapping[str, Observed],
    unread: Mapping[str, str],
) -> LivePath:
    """Return the compared path.

    Args:
        way: Its branches in the model.
        ground: The model.
        files: Files of every switch, and the routes that they exchange.
        seen: State of each switch that was read.
        unread: Why the others were not read.
    """
    texts, exchange = files
    path = frozenset(way.switches)
    sides = {
        owner.name: _side(ground, exchange, owner, own, seen.get(owner.name), unread)
        for owner, own in texts
        if isinstance(owner, Switch) and owner.name in path
    }
    return Follow(way, sides, exchange).path(unread)


def _side(
    ground: Ground,
    exchange: Exchange,
    switch: Switch,
    texts: Mapping[str, str],
    observed: Observed | None,
    unread: Mapping[str, str],
) -> Side:
    runs, judge = nos(switch.platform), judge_of(switch.platform)
    reader = reader_of(switch.platform)
    assert reader is not None  # an expected state exists for switches with a reader alone
    return Side(
        expected=ground.expected[switch.name],
        names=reader.names,
        design=ground.slices[switch.name],
        facts=judge.facts(texts)[0] if judge is not None else {},
        tables=exchange.switches[switch.name],
        qos=runs.qos.load()(switch.model, texts) if runs.qos is not None else None,
        observed=observed,
        underlay=ground.underlay(switch.name),
        reason=unread.get(switch.name, ""),
    )
