"""Previews the switches of a site from two rendered trees instead of a state snapshot."""

from collections.abc import Iterable, Mapping

from fabricgen.compile.compiler import folder_of
from fabricgen.core.record import record
from fabricgen.core.tree.risk import Risk
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Switch
from fabricgen.model.fabric.transition import Transition
from fabricgen.nos.registry import nos
from fabricgen.operate.deploy.coordination.terms import compared
from fabricgen.operate.deploy.plan.document import RELOAD, Entry
from fabricgen.operate.deploy.plan.switch_preview import SwitchPreview
from fabricgen.operate.deploy.targets import Target, targets_of
from fabricgen.operate.deploy.texts import Texts

Tree = Mapping[str, Mapping[str, str]]
"""Files of the changed switches: folder → path below it → text."""
Files = Mapping[str, str]

_NO_HASH = "0" * 64
"""Hash in an entry that no push compares with a switch."""


@record(kw_only=True)
class Running:
    """A switch that exists on both sides. `box`: whether another box or network OS replaces it."""

    folder: str
    box: bool


def running_of(before: Site, after: Site) -> dict[str, Running]:
    """Return the present switches of side B that exist on side A, also by a previous name."""
    old, new = _present(before), _present(after)
    found = {}
    for name, target in targets_of(after).items():
        was = old.get(name)
        if was is None and target.previous_name not in new:
            was = old.get(target.previous_name)
        if was is not None:
            will = new[name]
            box = (was.platform, was.model.name) != (will.platform, will.model.name)
            found[name] = Running(folder=folder_of(was), box=box)
    return found


def _present(site: Site) -> dict[str, Switch]:
    return {switch.name: switch for fabric in site.fabrics for switch in fabric.present}


class Previews:
    """Previews of the switches of side B, as if each ran its files of side A.

    A new switch and another box run nothing yet.
    """

    def __init__(self, before: Site, after: Site, trees: tuple[Tree, Tree]) -> None:
        """Take both sides. trees: the files of their changed switches."""
        self.running = running_of(before, after)
        self._trees, self._texts = trees, Texts(after)
        self._targets = targets_of(after)

    def changing(self, fabric: Fabric) -> list[str]:
        """Return the switches of a fabric whose configuration changes."""
        sides = {each.name: self._sides(each.name) for each in fabric.present}
        return [name for name, (before, after) in sides.items() if before != after]

    def of(self, fabric: Fabric, *, terms: bool = True) -> tuple[SwitchPreview, ...]:
        """Preview a fabric. terms: also compare settings that other switches must match."""
        return tuple(
            _preview(self._targets[each.name], *self._sides(each.name), terms=terms)
            for each in fabric.present
        )

    def again(
        self, looks: Iterable[SwitchPreview], kept: Mapping[str, Transition]
    ) -> tuple[SwitchPreview, ...]:
        """Preview again the switches that retain settings in a step."""
        texts = self._texts.keeping(kept)
        return tuple(
            self._step(look.entry, texts) if look.entry.switch in kept else look for look in looks
        )

    def _step(self, entry: Entry, texts: Texts) -> SwitchPreview:
        target = self._targets[entry.switch]
        before, _ = self._sides(entry.switch)
        if entry.state == "same":  # no tree has its files, which are the designed ones
            before = _loaded(target.platform, self._texts.of(entry.switch).files)
        after = _loaded(target.platform, texts.of(entry.switch).files)
        return _preview(target, before, after, terms=True)

    def _sides(self, name: str) -> tuple[Files, Files]:
        """Return the running files and the candidate; both are empty for an unchanged switch."""
        target, running = self._targets[name], self.running.get(name)
        before: Files = {}
        after = self._trees[1].get(f"{target.fabric}/{name}", {})
        if running is not None and not running.box:
            before = self._trees[0].get(running.folder, {})
        elif not after:  # a planned switch gets active, with equal files
            after = self._texts.of(name).files
        return _loaded(target.platform, before), _loaded(target.platform, after)


def _preview(target: Target, before: Files, after: Files, *, terms: bool) -> SwitchPreview:
    same = Entry(
        switch=target.name,
        fabric=target.fabric,
        platform=target.platform,
        state="same",
        rendered=_NO_HASH,
    )
    if before == after:
        return SwitchPreview(same)
    changes = same.model_copy(update={"state": "changes"})
    if not terms:
        return SwitchPreview(changes)
    found, unread = compared(target.platform, before, after)
    update: dict[str, object] = {"unread": unread}
    if because := _reload(target.platform, before, after):
        update |= {"path": RELOAD, "because": because}
    return SwitchPreview(changes.model_copy(update=update), found)


def _loaded(platform: str, files: Files) -> Files:
    """Return the files that the driver loads."""
    runs_on = nos(platform)
    if runs_on.alone:
        return {path: text for path, text in files.items() if path == runs_on.marker}
    return files


def _reload(platform: str, before: Files, after: Files) -> str:
    """Return why a switch restarts all services, by its own update tool; empty if it does not."""
    updates = nos(platform).updates
    if updates is None or not before:
        return ""
    found = (change for change in updates.load()(before, after) if change.risk is Risk.REBOOT)
    return next((change.rule.why for change in found), "")
