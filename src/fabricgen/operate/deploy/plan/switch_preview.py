"""Computes from a state snapshot of a switch what a plan would change and at which risk.

Nothing on the switch changes: a candidate is loaded, compared and discarded.
"""

import secrets as dice
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from fabricgen.compile.custom_config.keeping import contradictions
from fabricgen.compile.output.manifest import sha256
from fabricgen.compile.output.risks import Remark, changes_of, remarks
from fabricgen.core.tree.judge import worst
from fabricgen.core.tree.keep import shown
from fabricgen.core.tree.risk import Kind, Risk
from fabricgen.core.units import counted
from fabricgen.nos.driver import LOOK, Keeping, OnlyByReload, Reloads, Transport, unpack
from fabricgen.nos.registry import nos
from fabricgen.operate.deploy.coordination.terms import Changed, compared
from fabricgen.operate.deploy.fleet import Fault, Stopped
from fabricgen.operate.deploy.plan.document import RELOAD, Entry, Reason
from fabricgen.operate.deploy.targets import Target
from fabricgen.operate.deploy.texts import Rendered, Texts

OUTAGE = (
    "Every service starts anew: all ports of the switch go down and all its sessions end until "
    "they are back; how long that takes was not measured"
)


@dataclass(frozen=True, slots=True)
class SwitchPreview:
    """What a look found. terms: what changes of that which other switches must agree with."""

    entry: Entry
    terms: Changed = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretFilter:
    """What a look needs. reveal puts secrets into a text, hide takes them out again.

    most: lines of a difference that are kept. A switch that is configured for the first time has
    thousands, and of 2,000 switches they would not fit into memory. over: plans whose pushes are
    dead, and hold no switch. reload: a switch may start all its services anew for what it refuses
    to change in place.
    """

    texts: Texts
    targets: Mapping[str, Target]
    reveal: Callable[[str], str]
    hide: Callable[[str], str]
    most: int
    over: frozenset[str] = frozenset()
    reload: bool = False

    def look(self, driver: Transport, name: str) -> SwitchPreview:
        """Say what would change on a switch; Stopped when it is not the one, or is taken."""
        identify(driver, self.targets[name])
        rendered = self.texts.of(name)
        running, kept = driver.get_config()["running"], self._kept(driver, name, rendered)
        driver.claim(f"{LOOK}{dice.token_hex(6)}", self.over)
        try:
            because = self._load(driver, self.reveal(rendered.text))
            diff = driver.compare_config()
            candidate = driver.get_config(retrieve="candidate").get("candidate", "") if diff else ""
        finally:
            driver.discard_config()
        seen = self.seen(name, rendered, running, diff, candidate or rendered.text)
        if kept:
            seen = SwitchPreview(seen.entry.model_copy(update={"kept": kept}), seen.terms)
        if diff and because:
            return SwitchPreview(reloaded(seen.entry, self.hide(because)), seen.terms)
        return seen

    def _kept(self, driver: Transport, name: str, rendered: Rendered) -> tuple[str, ...]:
        """Return what stays since others own it; Stopped where it contradicts what is rendered."""
        if not self.targets[name].unmanaged or not isinstance(driver, Keeping):
            return ()
        kept = driver.kept_sections()
        switch_slice = self.texts.slice(name)
        for why in contradictions(switch_slice, rendered.files, kept):
            raise Stopped(Fault.REFUSED, f"what is kept there: {self.hide(why)}")
        return tuple(map(self.hide, shown(self.targets[name].unmanaged, kept)))

    def _load(self, driver: Transport, text: str) -> str:
        """Load a candidate; return why it goes by a reload, empty when it does not."""
        try:
            driver.load_replace_candidate(config=text)
        except OnlyByReload as refused:
            if not isinstance(driver, Reloads):
                raise
            if not self.reload:
                hint = "a reload of the switch would take it (--allow-reload)"
                raise Stopped(Fault.REFUSED, f"{refused}; {hint}") from refused
            driver.load_for_reload(text)
            return str(refused)
        return ""

    def seen(
        self, name: str, rendered: Rendered, running: str, diff: str, candidate: str
    ) -> SwitchPreview:
        """Judge what a look found; candidate: as the switch says it, like what runs."""
        target = self.targets[name]
        same = Entry(
            switch=name,
            fabric=target.fabric,
            platform=target.platform,
            state="same",
            running=sha256(running),
            rendered=rendered.sha256,
        )
        if not diff:
            return SwitchPreview(same)
        before, after = (
            files_of(target.platform, self.hide(text)) for text in (running, candidate)
        )
        changes = changes_of(target.platform, before, after)
        terms, unread = compared(target.platform, before, after)
        hidden = self.hide(diff)
        judged = {
            "state": "changes",
            "risk": worst(changes).word,
            "reasons": tuple(map(_reason, remarks(changes))),
            "diff": self._cut(hidden),
            "change": sha256(hidden),
            "unread": unread,
        }
        return SwitchPreview(same.model_copy(update=judged), terms)

    def _cut(self, diff: str) -> str:
        lines = diff.splitlines()
        if len(lines) <= self.most:
            return diff
        more = counted(len(lines) - self.most, "more line")
        more = f"… {more}; `fabricgen diff SITE --live` has all"
        return "\n".join([*lines[: self.most], more])


def reloaded(entry: Entry, because: str) -> Entry:
    """Return the entry of a switch that starts all its services anew, and what that costs."""
    reason = Reason(
        risk=Risk.REBOOT.word,
        file=nos(entry.platform).marker,
        where="all of it",
        more=0,
        kind=Kind.CHANGED.value,
        why=f"by a reload, since {because}. {OUTAGE}",
    )
    return entry.model_copy(
        update={
            "risk": Risk.REBOOT.word,
            "reasons": (reason, *entry.reasons),
            "path": RELOAD,
            "because": because,
        }
    )


def _reason(remark: Remark) -> Reason:
    return Reason(
        risk=remark.rule.risk.word,
        file=remark.file,
        where=remark.places[0],
        more=len(remark.places) - 1,
        kind=remark.kind.value,
        why=remark.rule.why,
    )


def files_of(platform: str, text: str) -> dict[str, str]:
    """Return the files of a configuration that a driver gave as one text."""
    runs_on = nos(platform)
    if runs_on.alone:
        return {runs_on.marker: text}
    try:
        return unpack(text)[0]
    except ValueError:  # a switch that was never pushed to has none
        return {}


def identify(driver: Transport, target: Target) -> None:
    """Refuse a switch that is another: a neighbor's address, a wrong cable, an unknown box.

    It goes by its name, or by the one that it had before. Where the intent has its serial number
    that must fit as well, and then the name that a switch leaves the factory with will do.
    """
    facts = driver.get_facts()
    hostname, serial = (str(facts.get(key) or "").strip() for key in ("hostname", "serial_number"))
    said = _bare(hostname)
    if target.serial and serial != target.serial:
        box = f"this is serial {serial}" if serial else "this switch says no serial"
        raise Stopped(Fault.STALE, f"{box}, the intent says {target.serial} for {target.name}")
    if said and said in {_bare(target.name), _bare(target.previous_name)}:
        return
    fresh = said in nos(target.platform).fresh_names
    if fresh and target.serial:
        return
    sentence = f"this is not {target.name}: it calls itself {hostname!r}"
    if fresh:
        sentence += ", as one from the factory does; `serial:` in the intent says which one it is"
    raise Stopped(Fault.STALE, sentence)


def _bare(name: str) -> str:
    """Return a host name without its domain."""
    return name.partition(".")[0]
