"""Compute from a state snapshot of a switch the changes of a plan and their risk.

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
    "All services restart: all ports of the switch go down and all sessions end until the "
    "services are up again; the duration was not measured"
)


@dataclass(frozen=True, slots=True)
class SwitchPreview:
    """Preview of a switch. terms: changed settings that other switches must match."""

    entry: Entry
    terms: Changed = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretFilter:
    """Inputs of a preview.

    Attributes:
        reveal: Puts secrets into a text.
        hide: Removes secrets from a text.
        most: Number of stored lines of a difference. The first configuration of a switch has
            thousands of lines, and those of 2,000 switches exceed the memory.
        over: Plans of terminated pushes, which no longer lock a switch.
        reload: Whether a switch may restart all services for a change that it rejects in place.
    """

    texts: Texts
    targets: Mapping[str, Target]
    reveal: Callable[[str], str]
    hide: Callable[[str], str]
    most: int
    over: frozenset[str] = frozenset()
    reload: bool = False

    def look(self, driver: Transport, name: str) -> SwitchPreview:
        """Preview the changes of a switch; raise Stopped if it is the wrong one or locked."""
        version = identify(driver, self.targets[name])
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
        beside = {"kept": kept, "release": another_release(self.targets[name], version)}
        seen = SwitchPreview(seen.entry.model_copy(update=beside), seen.terms)
        if diff and because:
            return SwitchPreview(reloaded(seen.entry, self.hide(because)), seen.terms)
        return seen

    def _kept(self, driver: Transport, name: str, rendered: Rendered) -> tuple[str, ...]:
        """Return the unmanaged sections.

        Raises:
            Stopped: A section contradicts the rendered configuration.
        """
        if not self.targets[name].unmanaged or not isinstance(driver, Keeping):
            return ()
        kept = driver.kept_sections()
        switch_slice = self.texts.slice(name)
        for why in contradictions(switch_slice, rendered.files, kept):
            raise Stopped(Fault.REFUSED, f"unmanaged section: {self.hide(why)}")
        return tuple(map(self.hide, shown(self.targets[name].unmanaged, kept)))

    def _load(self, driver: Transport, text: str) -> str:
        """Load a candidate; return the reason for a reload, empty when it is not needed."""
        try:
            driver.load_replace_candidate(config=text)
        except OnlyByReload as refused:
            if not isinstance(driver, Reloads):
                raise
            if not self.reload:
                hint = "a reload of the switch would accept it (--allow-reload)"
                raise Stopped(Fault.REFUSED, f"{refused}; {hint}") from refused
            driver.load_for_reload(text)
            return str(refused)
        return ""

    def seen(
        self, name: str, rendered: Rendered, running: str, diff: str, candidate: str
    ) -> SwitchPreview:
        """Evaluate a preview. candidate: in the notation of the switch, like `running`."""
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
        more = f"… {more}; run `fabricgen diff SITE --live` for the complete difference"
        return "\n".join([*lines[: self.most], more])


def reloaded(entry: Entry, because: str) -> Entry:
    """Return the entry of a switch that restarts all services, with the risk."""
    reason = Reason(
        risk=Risk.REBOOT.word,
        file=nos(entry.platform).marker,
        where="complete file",
        more=0,
        kind=Kind.CHANGED.value,
        why=f"by a reload, because {because}. {OUTAGE}",
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
    """Split the text of a driver into the files of a configuration."""
    runs_on = nos(platform)
    if runs_on.alone:
        return {runs_on.marker: text}
    try:
        return unpack(text)[0]
    except ValueError:  # a switch without a push has none
        return {}


def another_release(target: Target, version: str) -> str:
    """Return that a switch runs another release than the intent names, or that none is known."""
    runs_on = nos(target.platform)
    if not target.release or runs_on.train is None:
        return ""
    told = f"the intent has release {target.release}"
    train = runs_on.train(version)
    if not train:
        known = f"the version {version!r}" if version else "no version"
        return f"not compared: {told}, the switch reports {known}"
    return "" if train == runs_on.branch(target.release) else f"runs {version}, {told}"


def identify(driver: Transport, target: Target) -> str:
    """Reject the wrong switch, for example after a wrong cable or address.

    Return the OS version that the switch reports.

    A switch matches by its name or previous name. If the intent has a serial number, it must match,
    too. With a serial number, the factory name is accepted.
    """
    facts = driver.get_facts()
    hostname, serial = (str(facts.get(key) or "").strip() for key in ("hostname", "serial_number"))
    said, version = _bare(hostname), str(facts.get("os_version") or "").strip()
    if target.serial and serial != target.serial:
        box = f"serial number is {serial}" if serial else "the switch reports no serial number"
        raise Stopped(
            Fault.STALE, f"wrong switch: {box}, the intent has {target.serial} for {target.name}"
        )
    if said and said in {_bare(target.name), _bare(target.previous_name)}:
        return version
    fresh = said in nos(target.platform).fresh_names
    if fresh and target.serial:
        return version
    sentence = f"wrong switch: expected {target.name}, its host name is {hostname!r}"
    if fresh:
        sentence += ", a factory default; set `serial` in the intent to identify it"
    raise Stopped(Fault.STALE, sentence)


def _bare(name: str) -> str:
    """Return a host name without its domain."""
    return name.partition(".")[0]
