"""Defines the interface between a push and the driver of a switch, whatever OS it runs.

A driver is a NAPALM driver (napalm.base.NetworkDriver) with six more methods. NAPALM has no
checkpoint that outlives the process, no owner of a pending commit, and no health. Without them a
killed push could neither be found again nor undone.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Protocol, runtime_checkable

from fabricgen.core.record import record
from fabricgen.nos.health import Health
from fabricgen.nos.traffic import End, Traffic

LOOK = "look-"
"""How the plans are named that only compare. Their claims hold nobody up: who looked and died must
not keep a push out."""


class Busy(Exception):  # noqa: N818 - said to the operator: who has the switch
    """Another plan, or another person's session, holds the switch; nothing was touched."""


class OnlyByReload(Exception):  # noqa: N818 - the same
    """The switch takes the candidate only with all its services started anew: see Reloads."""


class NoCheckpoint(Exception):  # noqa: N818 - the same
    """The switch keeps no configuration from before that plan."""


@record()
class Unfinished:
    """A commit on the switch that nobody has confirmed yet. seconds: until it is undone there."""

    plan: str
    seconds: float


@record()
class Kept:
    """What the switch keeps from before a plan. when: seconds since 1970, None where not known."""

    plan: str
    when: float | None


@record(kw_only=True)
class SwitchLock:
    """A claim that keeps other plans out. who: `ann@jump1`; pid: of its process there, or 0.

    said: both in a sentence, and until when it holds, where it ends by itself.
    """

    plan: str
    who: str
    pid: int
    said: str


class Transport(Protocol):
    """One switch. Every call may raise NAPALM's exceptions; none may leave it half configured.

    The text of a configuration is that of its only file (eos), or the files as one text
    (nos/driver.py). Two texts of `get_config` are equal exactly when the configurations are.
    """

    def open(self) -> None:
        """Connect; the host key or certificate is verified. ConnectionException when it cannot."""

    def close(self) -> None:
        """Disconnect. A pending commit stays pending: the switch's own timer decides."""

    def get_facts(self) -> dict[str, Any]:
        """Return NAPALM's facts; hostname and serial_number say which switch this is."""

    def get_config(self, retrieve: str = "running") -> dict[str, str]:
        """Return what runs under `running`, without what changes by itself and without secrets.

        `retrieve="candidate"`: the loaded candidate under `candidate`, said in the same way; empty
        when the switch cannot say it.
        """

    def claim(self, plan: str, over: Collection[str] = ()) -> None:
        """Name the session, checkpoint and lock on the switch after the plan; Busy when taken.

        What an earlier claim of the same plan left uncommitted is discarded; so is what plans of
        `over` left, whose pushes are known to be dead. A pending commit is never discarded.
        """

    def held(self) -> SwitchLock | None:
        """Return the claim of a plan, not of a look, that nobody has committed anything with."""

    def unfinished(self) -> Unfinished | None:
        """Return the commit that waits to be confirmed, whoever made it."""

    def load_replace_candidate(
        self, filename: str | None = None, config: str | None = None
    ) -> None:
        """Take a whole configuration as the candidate; ReplaceConfigException when refused.

        OnlyByReload when the switch has a second path that would take it.
        """

    def load_checkpoint(self, plan: str) -> None:
        """Take what ran before that plan as the candidate; NoCheckpoint when it is not kept.

        OnlyByReload when the switch was reloaded for that plan.
        """

    def keeps(self) -> tuple[Kept, ...]:
        """Return from before which plans the switch keeps what ran, the oldest first."""

    def compare_config(self) -> str:
        """Return how the running configuration differs from the candidate; empty when it does not.

        After a commit: what of it did not arrive.
        """

    def discard_config(self) -> None:
        """Forget the candidate, and give the claim up when nothing is pending."""

    def commit_config(self, message: str = "", revert_in: int | None = None) -> None:
        """Make the candidate run; unless confirmed within `revert_in` seconds the switch undoes it.

        The switch keeps what ran before as the checkpoint of the claimed plan. CommitError when
        the candidate does not run entirely; then what ran before runs again.
        """

    def confirm_commit(self) -> None:
        """Keep the pending commit of the claimed plan, after a reconnection too."""

    def rollback(self) -> None:
        """Undo the pending commit of the claimed plan now, after a reconnection too."""

    def health(self) -> Health:
        """Return what of the switch works now."""


@runtime_checkable
class Remarks(Protocol):
    """A switch that says of its last commit what was left out or done otherwise, and why."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """A sentence for each."""


@runtime_checkable
class Reloads(Protocol):
    """A driver whose switch has a second path for what it refuses to change in place.

    The commit of such a candidate starts every service anew: all ports of the switch go down, and
    all its sessions end. Timer, confirmation and undoing are those of any commit.
    """

    def load_for_reload(self, config: str) -> None:
        """Take a whole configuration as the candidate of a reload; ReplaceConfigException."""

    def load_checkpoint_for_reload(self, plan: str) -> None:
        """Take what ran before a plan, for which the switch was reloaded, as such a candidate."""


@runtime_checkable
class Probes(Protocol):
    """A driver whose switch sends packets of its own, and hears who answers."""

    def reach(self, ends: Collection[End], seen: Traffic) -> Mapping[End, bool]:
        """Return who answered; whom the platform cannot ask is left out.

        seen: the tables of the switch now, which say by which VNI and MAC. Nothing of it stays on
        the switch, whatever ends it there.
        """


@runtime_checkable
class Keeping(Protocol):
    """A driver that leaves to others what is theirs on its switch: its option `keep`.

    That is patterns by kind (core/tree/keep.py). What fits them is in no text of `get_config` and
    no difference; a candidate has it as it runs when it is loaded, a checkpoint as well.
    """

    def kept_sections(self) -> Mapping[str, str]:
        """Return what runs and is kept, by kind, without the secrets that the driver knows."""


Make = Callable[..., Transport]


_HEAD = re.compile(r"^#### file (\S+)( executable)?( unterminated)?$", re.MULTILINE)


def pack(files: Mapping[str, str], executable: Iterable[str] = ()) -> str:
    """Join files to one text, in the order of their paths; equal files give equal texts.

    ValueError when a file holds a line that looks like the head of another.
    """
    runs = frozenset(executable)
    parts = []
    for path, text in sorted(files.items()):
        if _HEAD.search(text):
            raise ValueError(f"{path}: a line of it looks like the head of a file")
        whole = not text or text.endswith("\n")
        marks = (" executable" if path in runs else "") + ("" if whole else " unterminated")
        parts.append(f"#### file {path}{marks}\n{text}" + ("" if whole else "\n"))
    return "".join(parts)


def unpack(text: str) -> tuple[dict[str, str], frozenset[str]]:
    """Return the files of a packed text, and which of them are executable.

    ValueError when it is not one.
    """
    heads = list(_HEAD.finditer(text))
    if not heads or heads[0].start():
        raise ValueError("not the files of a switch: no head in the first line")
    ends = [*(head.start() for head in heads[1:]), len(text)]
    files, runs = {}, set()
    for head, end in zip(heads, ends, strict=True):
        path, executable, unterminated = head.groups()
        body = text[head.end() + 1 : end]
        files[path] = body.removesuffix("\n") if unterminated else body
        if executable:
            runs.add(path)
    return files, frozenset(runs)
