"""Finds the causes of an effect by the reasons that the design gives for its objects."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

from fabricgen.compile.compiler import Cutter, folder_of
from fabricgen.compile.custom_config.sentences import filled
from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.tree.facts import Key
from fabricgen.core.tree.risk import Change
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.switch import Site, SwitchSlice
from fabricgen.model.fabric.topology import Switch
from fabricgen.prove.written import judge_of
from fabricgen.review.model import Cause

SAMPLE = 8
"""Number of devices of one effect that are asked; all have the same template."""


class Design:
    """Reasons and remote ends of the objects of one site."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self._cutter = Cutter(site)
        self.reasons = lru_cache(maxsize=256)(self._reasons)
        self.far_ends = lru_cache(maxsize=256)(self._far_ends)

    @cached_property
    def switches(self) -> Mapping[str, Switch]:
        """Return the switches by name."""
        return {
            switch.name: switch
            for fabric in self.site.fabrics
            for switch in fabric.topology.switches
        }

    @cached_property
    def places(self) -> Mapping[str, IntentPath]:
        """Return the place of each switch and server in the intent."""
        servers = {
            server.name: server.because.main
            for fabric in self.site.fabrics
            for server in fabric.topology.servers
        }
        return servers | {name: each.because.main for name, each in self.switches.items()}

    @cached_property
    def models(self) -> Mapping[str, SwitchModel]:
        """Return the hardware of each switch by folder."""
        return {folder_of(switch): switch.model for switch in self.switches.values()}

    @lru_cache(maxsize=8)  # noqa: B019 - a design lives as long as one review
    def _slice(self, name: str) -> SwitchSlice | None:
        switch = self.switches.get(name)
        found = self._cutter.cut(switch) if switch is not None else None
        return found if isinstance(found, SwitchSlice) else None

    def is_custom(self, name: str, change: Change) -> bool:
        """Return whether a changed line is custom config of a switch."""
        own = self._slice(name)
        if own is None or not change.where:
            return False
        line = change.where[-1]
        for each in own.own:
            text = filled(each, own) if not each.file else ""
            rows = {row.strip() for row in text.splitlines()}
            if each.file == change.file or line in rows or f'"{line}"' in text:
                return True
        return False

    def _reasons(self, name: str) -> Mapping[Key, tuple[IntentPath, ...]]:
        """Return the places in the intent of each object of a switch."""
        own = self._slice(name)
        judge = judge_of(own.switch.platform) if own is not None else None
        if own is None or judge is None:
            return {}
        every: dict[Key, tuple[IntentPath, ...]] = {}
        for each in judge.expectation.objects(own):
            paths = each.because.paths if each.because is not None else ()
            every[each.key] = (*every.get(each.key, ()), *paths)
        return every

    def _far_ends(self, name: str) -> Mapping[Key, str]:
        """Return the names at the remote end of each interface and session of a switch."""
        own = self._slice(name)
        judge = judge_of(own.switch.platform) if own is not None else None
        if own is None or judge is None:
            return {}
        lags = {("interface", judge.names.bundle(lag.number)): lag.far for lag in own.lags}
        return judge.expectation.far_ends(own) | lags


Objects = Sequence[tuple[str, Key]]
"""Name of a device and a neutral object on it."""


class Attribution:
    """Causes and consequences among the effects of one review.

    Args:
        causes: Causes of the review.
        designs: Designs of both sides.
    """

    def __init__(self, causes: Sequence[Cause], designs: Sequence[Design]) -> None:
        self._causes, self._designs = causes, designs
        self._of_device: dict[str, tuple[int, ...]] = {}

    def note(self, names: Iterable[str], causes: tuple[int, ...]) -> None:
        """Store the causes of an effect on servers, whose files have no neutral objects."""
        for name in names:
            self._of_device[name] = tuple(sorted({*self._of_device.get(name, ()), *causes}))

    def known(self, numbers: tuple[int, ...]) -> tuple[int, ...]:
        """Return the causes of an effect; all of them if none is closer than the others."""
        return numbers or tuple(range(len(self._causes)))

    def of_names(self, names: Iterable[str]) -> tuple[int, ...]:
        """Return the causes of an effect on some switches or servers."""
        paths = {
            design.places[name]
            for design in self._designs
            for name in names
            if name in design.places
        }
        return self.of_paths(paths)

    def of_objects(self, objects: Objects) -> tuple[int, ...]:
        """Return the causes of an effect by the reasons of its objects."""
        paths: set[IntentPath] = set()
        for device, key in _sample(objects):
            for design in self._designs:
                paths.update(design.reasons(device).get(key, ()))
        if paths:
            return self.of_paths(paths)
        devices = {device for device, _ in objects}
        known = {number for name in devices for number in self._of_device.get(name, ())}
        return tuple(sorted(known)) or self.of_names(devices)

    def of_paths(self, paths: Iterable[IntentPath]) -> tuple[int, ...]:
        """Return the causes with the longest common beginning with one of the paths."""
        if len(self._causes) == 1:
            return (0,)
        best = 0
        found: list[int] = []
        for number, cause in enumerate(self._causes):
            score = max((_common(cause.path, path) for path in paths), default=0)
            if score > best:
                best, found = score, []
            if score == best and score:
                found.append(number)
        return tuple(found)

    def follows(self, objects: Objects, moved: Collection[str]) -> bool:
        """Return whether an effect only follows from other effects of the review.

        Args:
            objects: Objects of the effect.
            moved: Switches and servers of the other effects. One is at the end of each object.
        """
        return bool(objects) and all(
            device in moved or any(name in moved for name in self._ends(device, key))
            for device, key in _sample(objects)
        )

    def between(self, objects: Objects, pairs: Collection[frozenset[str]], *, other: bool) -> bool:
        """Return whether each object is at a cable between two devices.

        Args:
            objects: Objects of an effect.
            pairs: Both ends of the cables.
            other: Whether each object must also have another remote end on either side.
        """
        return bool(objects) and all(
            any(frozenset((device, name)) in pairs for name in self._ends(device, key))
            and (not other or len({*self._ends(device, key)}) > 1)
            for device, key in _sample(objects)
        )

    def within(self, objects: Objects, places: Collection[IntentPath]) -> bool:
        """Return whether each object has a reason in one of some places of the intent."""
        return bool(objects) and all(
            any(
                path[: len(place)] == place
                for design in self._designs
                for path in design.reasons(device).get(key, ())
                for place in places
            )
            for device, key in _sample(objects)
        )

    def _ends(self, device: str, key: Key) -> Iterator[str]:
        """Yield the names at the remote end of an object on both sides."""
        kind, *names = key
        yield from names[:1] if kind == "peer" else ()
        for design in self._designs:
            far = design.far_ends(device)
            if kind == "session" and key in far:
                yield far[key]
            words = {word for name in names for word in name.replace("|", " ").split()}
            for each, name in far.items():
                if each[0] == "interface" and each[1] in words:
                    yield name


def _sample(objects: Objects) -> Objects:
    return [*dict.fromkeys((objects[0], *objects[-SAMPLE + 1 :]))] if objects else []


def _common(one: IntentPath, other: IntentPath) -> int:
    """Return the number of equal keys at the beginning of two paths."""
    number = 0
    for first, second in zip(one, other, strict=False):
        if first != second:
            break
        number += 1
    return number
