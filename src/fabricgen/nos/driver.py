"""Define the interface between a push and the driver of a switch, whatever OS it runs.

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
"""Prefix of plans that only compare. Their claims do not block other plans, because a push must not
wait for a comparison that was killed."""


class Busy(Exception):  # noqa: N818 - the operator reads the name of the holder
    """Another plan, or another person's session, holds the switch. Nothing was changed."""


class OnlyByReload(Exception):  # noqa: N818 - the same
    """The switch accepts the candidate only if all its services restart. See Reloads."""


class NoCheckpoint(Exception):  # noqa: N818 - the same
    """The switch has no checkpoint from before the plan."""


@record()
class Unfinished:
    """An unconfirmed commit on the switch, and the seconds until the switch undoes it."""

    plan: str
    seconds: float


@record()
class Kept:
    """A checkpoint of a plan. `when` is in seconds since 1970, None if unknown."""

    plan: str
    when: float | None


@record(kw_only=True)
class SwitchLock:
    """A claim that blocks other plans.

    Attributes:
        who: The owner, as `ann@jump1`.
        pid: The process of the owner on that machine, or 0.
        said: A sentence with both, and with the end of the claim if it expires.
    """

    plan: str
    who: str
    pid: int
    said: str


class Transport(Protocol):
    """A connection to one switch. Every call may raise NAPALM's exceptions.

    No call leaves a switch half configured. A configuration is one text: the only file (eos), or
    all files joined by `pack`. Two texts of `get_config` are equal exactly when the configurations
    are.
    """

    def open(self) -> None:
        """Connect and verify the host key or certificate. ConnectionException if that fails."""

    def close(self) -> None:
        """Disconnect. A pending commit stays pending until the timer of the switch ends."""

    def get_facts(self) -> dict[str, Any]:
        """Return NAPALM's facts; hostname and serial_number identify the switch."""

    def get_config(self, retrieve: str = "running") -> dict[str, str]:
        """Return the running configuration under `running`, without secrets and volatile lines.

        `retrieve="candidate"` returns the loaded candidate under `candidate` in the same form. It
        is empty if the switch cannot show the candidate.
        """

    def claim(self, plan: str, over: Collection[str] = ()) -> None:
        """Name the session, checkpoint and lock on the switch after the plan; Busy if it is taken.

        Discards uncommitted work of an earlier claim of this plan and of the plans in `over`, whose
        pushes are known to be dead. A pending commit is never discarded.
        """

    def held(self) -> SwitchLock | None:
        """Return the claim of a plan that has committed nothing. A comparison is no claim."""

    def unfinished(self) -> Unfinished | None:
        """Return the commit that waits for confirmation, of any owner."""

    def load_replace_candidate(
        self, filename: str | None = None, config: str | None = None
    ) -> None:
        """Load a complete configuration as the candidate; ReplaceConfigException if refused.

        OnlyByReload if only the second method of the switch accepts it.
        """

    def load_checkpoint(self, plan: str) -> None:
        """Load the configuration from before that plan as the candidate; NoCheckpoint if missing.

        OnlyByReload if that plan reloaded the switch.
        """

    def keeps(self) -> tuple[Kept, ...]:
        """Return the checkpoints of the switch, the oldest first."""

    def compare_config(self) -> str:
        """Return the difference between running config and candidate; empty if equal.

        After a commit: the part of the candidate that is not active.
        """

    def discard_config(self) -> None:
        """Discard the candidate. Release the claim if no commit is pending."""

    def commit_config(self, message: str = "", revert_in: int | None = None) -> None:
        """Activate the candidate. The switch undoes it unless confirmed within `revert_in` seconds.

        The switch saves the previous configuration as the checkpoint of the claimed plan.
        CommitError if the candidate is not fully active; then the previous configuration is
        restored.
        """

    def confirm_commit(self) -> None:
        """Confirm the pending commit of the claimed plan, also after a reconnection."""

    def rollback(self) -> None:
        """Undo the pending commit of the claimed plan now, also after a reconnection."""

    def health(self) -> Health:
        """Return the health of the switch now."""


@runtime_checkable
class Remarks(Protocol):
    """A driver that reports parts of its last commit that were skipped or changed, with reasons."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """One sentence for each skipped or changed part."""


@runtime_checkable
class Reloads(Protocol):
    """A driver with a second method for changes that the switch refuses in place.

    The commit of such a candidate restarts every service: all ports of the switch go down, and all
    sessions end. Timer, confirmation and undo work as for any commit.
    """

    def load_for_reload(self, config: str) -> None:
        """Load a complete configuration as the candidate of a reload; ReplaceConfigException."""

    def load_checkpoint_for_reload(self, plan: str) -> None:
        """Load the checkpoint of a plan that reloaded the switch as the candidate of a reload."""


@runtime_checkable
class Probes(Protocol):
    """A driver whose switch sends probe packets and receives the answers."""

    def reach(self, ends: Collection[End], seen: Traffic) -> Mapping[End, bool]:
        """Return whether each end answered. Ends that the platform cannot probe are absent.

        `seen`: the current tables of the switch, which give VNI and MAC. The probe leaves no state
        on the switch, even if it is aborted.
        """


@runtime_checkable
class Keeping(Protocol):
    """A driver that leaves unmanaged sections of its switch alone, by patterns in its options.

    The patterns are by kind (core/tree/keep.py). Matching lines are in no text of `get_config` and
    in no difference. Candidates and checkpoints contain them as they are on the switch at load
    time.
    """

    def kept_sections(self) -> Mapping[str, str]:
        """Return the unmanaged running lines by kind, without secrets that the driver knows."""


Make = Callable[..., Transport]


_HEAD = re.compile(r"^#### file (\S+)( executable)?( unterminated)?$", re.MULTILINE)


def pack(files: Mapping[str, str], executable: Iterable[str] = ()) -> str:
    """Join files to one text in the order of their paths; equal files give equal texts.

    ValueError if a file holds a line that looks like the header of another file.
    """
    runs = frozenset(executable)
    parts = []
    for path, text in sorted(files.items()):
        if _HEAD.search(text):
            raise ValueError(f"{path}: a line looks like the header of a file")
        whole = not text or text.endswith("\n")
        marks = (" executable" if path in runs else "") + ("" if whole else " unterminated")
        parts.append(f"#### file {path}{marks}\n{text}" + ("" if whole else "\n"))
    return "".join(parts)


def unpack(text: str) -> tuple[dict[str, str], frozenset[str]]:
    """Return the files of a packed text, and the names of the executable files.

    ValueError if the text is not packed.
    """
    heads = list(_HEAD.finditer(text))
    if not heads or heads[0].start():
        raise ValueError("not the files of a switch: the first line is no file header")
    ends = [*(head.start() for head in heads[1:]), len(text)]
    files, runs = {}, set()
    for head, end in zip(heads, ends, strict=True):
        path, executable, unterminated = head.groups()
        body = text[head.end() + 1 : end]
        files[path] = body.removesuffix("\n") if unterminated else body
        if executable:
            runs.add(path)
    return files, frozenset(runs)
