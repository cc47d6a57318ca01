"""Lists what must happen before the first batch of a push, between batches and after the last."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping

from fabricgen.compile.compiler import HOSTS
from fabricgen.compile.output.server_files import is_package
from fabricgen.core.record import record
from fabricgen.core.units import counted, natural, shortened
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Nic, Server, Switch
from fabricgen.nos.lowering import spell
from fabricgen.nos.registry import nos
from fabricgen.operate.deploy.coordination.agreement import Course
from fabricgen.operate.deploy.coordination.direction import direction_of
from fabricgen.operate.deploy.coordination.terms import CABLES, LINK, Changed, Item
from fabricgen.operate.deploy.plan.switch_preview import SwitchPreview
from fabricgen.review.previews import Running, Tree

_NAMES = 4
_NUMBER = re.compile(r"\d+")
Plug = tuple[str, str]
"""A switch and the name of its port."""


def arrivals(site: Site, running: Mapping[str, Running]) -> Iterator[str]:
    """Yield how new switches, and other boxes, get their first configuration."""
    new: dict[tuple[bool, str], list[str]] = defaultdict(list)
    for fabric in site.fabrics:
        for switch in fabric.present:
            known = running.get(switch.name)
            if known is None or known.box:
                by_hand = nos(switch.platform).first_boot is None
                new[known is not None, switch.platform if by_hand else ""].append(switch.name)
    for (box, platform), names in sorted(new.items()):
        what = "another box or network OS" if box else "new"
        boot = "boot with the files of `export bootstrap`"
        if platform:
            boot = f"install {platform}, which has no DHCP boot, on"
        yield (
            f"before the first batch, {boot}: {_few(names)} ({what}). A plan leaves out switches "
            "that do not answer"
        )


def several(fabrics: Iterable[str]) -> Iterator[str]:
    """Yield that each of several fabrics has a separate plan."""
    names = [f"`--limit {name}`" for name in fabrics]
    if len(names) > 1:
        yield f"each fabric has a separate plan: {', '.join(names)}"


def reloads(looks: Iterable[SwitchPreview]) -> Iterator[str]:
    """Yield the switches that may accept their change only by a restart of all services.

    Reasons that differ in numbers only are one sentence.
    """
    alike: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for look in looks:
        if why := look.entry.because:
            alike[_NUMBER.sub("", why)].append((look.entry.switch, why))
    for group in alike.values():
        (first, why), *more = group
        whose = f"for {first}, " if any(other != why for _, other in more) else ""
        yield (
            f"{_few(name for name, _ in group)} may need a reload (`plan --allow-reload`) and "
            f"change alone: {whose}{why}"
        )


def steps(fabric: str, course: Course) -> Iterator[str]:
    """Yield the step of a change that needs several plans."""
    step = course.step
    if step is None:
        return
    more = f", and {counted(step.left, 'more plan')} must follow" if step.left else ""
    waits = f", waiting for {_few(step.waits)}" if step.waits else ""
    yield (
        f"{fabric} changes by steps. The batches belong to step {step.number} of {step.of}{more}: "
        f"{step.said}{waits}"
    )


def moved_links(looks: Iterable[SwitchPreview]) -> Iterator[str]:
    """Yield the links between switches that move to other ports."""
    fabrics: dict[str, list[str]] = defaultdict(list)
    for look in looks:
        if Item(CABLES, "", CABLES) in look.terms:
            fabrics[look.entry.fabric].append(look.entry.switch)
    for fabric, names in fabrics.items():
        yield (
            f"{fabric}: links of {_few(names)} move to other ports. Each is down from the batch of "
            "its first end until both ends have changed and its cable is moved"
        )


def new_links(before: Site, after: Site, running: Mapping[str, Running]) -> Iterator[str]:
    """Yield the numbers of new cables between switches."""
    names = _now(running)
    old = {fabric.name: _pairs(fabric, names) for fabric in before.fabrics}
    for fabric in after.fabrics:
        added = (_pairs(fabric, {}) - old.get(fabric.name, Counter())).total()
        if added:
            yield (
                f"{fabric.name}: connect {counted(added, 'new cable')} between switches before "
                "the first batch, because a push does not wait for new sessions"
            )


def _pairs(fabric: Fabric, names: Mapping[str, str]) -> Counter[tuple[str, ...]]:
    """Count the cables of each two switches. names: current names by previous name."""
    return Counter(
        tuple(sorted(names.get(each.name, each.name) for each in (link.lower, link.upper)))
        for link in fabric.topology.links
        if isinstance(link.lower, Switch) and link.standing is None
    )


def _now(running: Mapping[str, Running]) -> dict[str, str]:
    """Return the names on side B by the names on side A."""
    return {known.folder.partition("/")[2]: name for name, known in running.items()}


@record(kw_only=True)
class _Moves:
    """Cables of servers that move in one fabric: switches that lose them, switches that get them.

    `within`: servers whose cables move to other ports of the same switch.
    """

    source: set[str]
    target: set[str]
    servers: set[str]
    within: set[str]


def moved_servers(before: Site, after: Site, running: Mapping[str, Running]) -> Iterator[str]:
    """Yield the cables of servers that move, with the switches to push first."""
    old = {fabric.name: fabric for fabric in before.fabrics}
    now = _now(running)
    boxes = {name for name, known in running.items() if known.box}
    for fabric in after.fabrics:
        if fabric.name in old:
            moves = _moves(_plugs(old[fabric.name]), _plugs(fabric), now, boxes)
            yield from _told(fabric.name, moves)


def _plugs(fabric: Fabric) -> dict[tuple[str, str, int, int], Plug]:
    """Return the switch and port of each port of a server."""
    return {
        (link.lower.name, nic.network, nic.rail, nic.port): (
            link.upper.name,
            spell(link.upper, link.upper_port),
        )
        for link in fabric.topology.links
        if isinstance(link.lower, Server) and isinstance(nic := link.lower_port, Nic)
    }


def _moves(
    before: Mapping[tuple[str, str, int, int], Plug],
    after: Mapping[tuple[str, str, int, int], Plug],
    now: Mapping[str, str],
    boxes: set[str],
) -> _Moves:
    moves = _Moves(source=set(), target=set(), servers=set(), within=set())
    for key in before.keys() & after.keys():
        (was, old), (will, new) = before[key], after[key]
        source = now.get(was, was)
        if source != will:
            moves.source.add(source)
            moves.target.add(will)
            moves.servers.add(key[0])
        elif old != new and will not in boxes:
            moves.within.add(key[0])
    return moves


def _told(fabric: str, moves: _Moves) -> Iterator[str]:
    if moves.servers:
        whose, first = _few(moves.servers), natural(moves.target)
        if moves.source.isdisjoint(moves.target):
            limits = " ".join(f"--limit {name}" for name in first[:_NAMES])
            limits = f"`push {limits}`" if len(first) <= _NAMES else f"with --limit {_few(first)}"
            yield (
                f"{fabric}: push {_few(first)} first ({limits}), move the cables of {whose}, then "
                "push the rest"
            )
        else:
            yield (
                f"{fabric}: cables of {whose} move between switches that both change. Each is down "
                "until both have changed and it is moved"
            )
    if moves.within:
        yield (
            f"{fabric}: cables of {_few(moves.within)} move to other ports of the same switch. "
            "Each is down from the batch of the switch until it is moved"
        )


def server_files(
    site: Site, trees: tuple[Tree, Tree], looks: Iterable[SwitchPreview]
) -> Iterator[str]:
    """Yield when the files of servers must be applied, which a push does not."""
    folders = (folder for folder in trees[1] if folder.startswith(f"{HOSTS}/"))
    names = {folder.partition("/")[2] for folder in folders if not is_package(folder)}
    if not names:
        return
    direction = direction_of(_at_servers(site, names, looks))
    when = "their order to the batches is not known"
    if direction.why and not direction.conflict:
        side = "before the first batch" if direction.upwards else "after the last batch"
        when = f"apply them {side} ({direction.why})"
    yield f"a push does not apply the files of {_few(names)}: {when}"


def _at_servers(
    site: Site, names: Collection[str], looks: Iterable[SwitchPreview]
) -> Iterator[Changed]:
    """Yield the changed settings of each switch with one of the servers, without other ports."""
    ports: dict[str, set[str]] = defaultdict(set)
    for link in (link for fabric in site.fabrics for link in fabric.topology.links):
        if isinstance(link.lower, Server) and link.lower.name in names:
            ports[link.upper.name].add(spell(link.upper, link.upper_port))
    for look in looks:
        own = ports.get(look.entry.switch)
        if own is not None:
            yield {
                item: values
                for item, values in look.terms.items()
                if item.kind != LINK or item.name in own
            }


def departures(before: Site, after: Site, running: Mapping[str, Running]) -> Iterator[str]:
    """Yield the switches that no plan of side B changes."""
    stay = {known.folder for known in running.values()}
    absent = {name for fabric in after.fabrics for name in fabric.absent}
    gone: dict[bool, list[str]] = defaultdict(list)
    for fabric in before.fabrics:
        for switch in fabric.present:
            if f"{fabric.name}/{switch.name}" not in stay:
                gone[switch.name in absent].append(switch.name)
    for kept, names in sorted(gone.items()):
        why = "absent by state" if kept else "not in side B"
        yield (
            f"after the last batch, disconnect {_few(names)} by hand ({why}). No plan changes "
            "them, and a push ends the sessions of their neighbors"
        )


def _few(names: Iterable[str]) -> str:
    return shortened(natural(names), _NAMES)
