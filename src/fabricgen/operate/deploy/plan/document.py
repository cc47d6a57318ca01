"""Define the document of a plan: its parts, its hash, and its bytes on disk."""

import hashlib
import json
import secrets
from datetime import datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from fabricgen.core.confined import read_file, write_whole
from fabricgen.core.tree.risk import Risk
from fabricgen.model.fabric.transition import Transition

FORMAT: Literal[4] = 4
DECLARED = ("as declared", "no change")
"""Verdicts of a declared change that a push accepts."""
ID_LENGTH = 12  # hex digits: the id must fit into the name of a session on a switch


Way = Literal["in place", "reload"]
IN_PLACE: Way = "in place"
RELOAD: Way = "reload"
Hurt = Annotated[str, Field(pattern=rf"\A({'|'.join(risk.word for risk in Risk)})\z")]
Sha256 = Annotated[str, Field(pattern=r"\A[0-9a-f]{64}\z")]


class BadPlan(Exception):  # noqa: N818 - shown to the operator
    """A file that is not a plan, or that was edited."""


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", hide_input_in_errors=True)


class Reason(_Part):
    """A rule's verdict on a change: risk, place and reason."""

    risk: Hurt
    file: str
    where: str
    more: int
    kind: str
    why: str


class Entry(_Part):
    """One switch.

    Attributes:
        state: `same`, `changes`, or the fault that prevented a comparison.
        said: The fault in one sentence.
        running: SHA-256 of the running configuration.
        rendered: SHA-256 of the rendered configuration without its secrets.
        diff: First lines of the difference, as the switch shows it.
        change: SHA-256 of the complete difference, so that a push applies only reviewed changes.
        path: Whether the change restarts all services.
        because: Reason of a restart.
        unread: Running lines without a grammar, by file.
        kept: Unmanaged sections that stay.
        release: Sentence about another release than the intent names, or an unknown one.
    """

    switch: str
    fabric: str
    platform: str
    state: str
    said: str = ""
    running: Sha256 | None = None
    rendered: Sha256
    risk: Hurt | None = None
    reasons: tuple[Reason, ...] = ()
    diff: str = ""
    change: Sha256 | None = None
    path: Way = IN_PLACE
    because: str = ""
    unread: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    release: str = ""


class Split(_Part):
    """A setting that must be equal on two or more switches and differs for a while.

    Attributes:
        what: The setting, for example `VLAN 100 jobs`.
        differs: Its values and their number of switches.
        begins: First batch with a difference, from 1; 0 where the switches already differ.
        ends: Batch that ends the difference; None where this plan does not end it. Equal to
            `begins` where all ends change at once.
        seconds: Expected duration from the median batch of this site; None if unknown or without
            end.
        effect: Effect in the meantime.
        source: Reference for the effect.
        breaks: Whether something that works now fails in the meantime.
        between: Ends of the setting.
        outside: Ends that are not part of this plan.
    """

    fabric: str
    what: str
    differs: str
    begins: Annotated[int, Field(ge=0)]
    ends: int | None
    seconds: int | None = None
    effect: str
    source: str
    breaks: bool
    servers: int
    between: tuple[str, ...]
    outside: tuple[str, ...]


class Together(_Part):
    """Reason why one batch changes ends that are usually in different batches."""

    vlans: tuple[int, ...]
    vrfs: tuple[str, ...]
    cables: bool


class PlannedBatch(_Part):
    """Switches that change at once.

    Attributes:
        why: Reason why the batch is not larger.
        window: Objects whose ends all change in this batch; they do not work meanwhile.
    """

    fabric: str
    switches: tuple[str, ...]
    why: str
    stays: tuple[str, ...]
    warnings: tuple[str, ...]
    window: Together | None = None


def _address(text: str) -> str:
    """Return a valid address unchanged, else raise ValueError."""
    ip_address(text)
    return text


class Keeps(_Part):
    """Settings that a switch retains in a step, as in `fabric.transition`."""

    imports: tuple[int, ...] = ()
    exports: tuple[int, ...] = ()
    asn: int | None = None
    strangers: tuple[str, ...] = ()
    asns: dict[str, int] = {}
    addresses: dict[str, Annotated[str, AfterValidator(_address)]] = {}
    drained: bool = False

    @property
    def transition(self) -> Transition:
        """Return the transition for rendering."""
        return Transition(**self.model_dump())


def keeps_of(own: Transition) -> Keeps:
    """Return a transition as the document stores it."""
    return Keeps(
        imports=own.imports,
        exports=own.exports,
        asn=own.asn,
        strangers=tuple(own.strangers),
        asns=dict(own.asns),
        addresses=dict(own.addresses),
        drained=own.drained,
    )


class Stage(_Part):
    """The step of this plan: its number, the number of steps, a sentence, and the awaited switches.

    kept: retained settings by switch. A switch without an entry gets its designed configuration.
    """

    number: Annotated[int, Field(ge=1)]
    of: int
    said: str
    waits: tuple[str, ...] = ()
    kept: dict[str, Keeps] = {}

    @property
    def left(self) -> int:
        """Return the number of steps after this one."""
        return self.of - self.number

    @property
    def transitions(self) -> dict[str, Transition]:
        """Return the retained settings by switch for rendering."""
        return {name: keeps.transition for name, keeps in self.kept.items()}


class DeclaredPlan(_Part):
    """The declared change of a plan, and its verdict.

    Attributes:
        name: The file, as on the command line.
        sha256: SHA-256 of the file.
        meaning: The change in one sentence.
        base: Side A of the reviewed change.
        verdict: Word of the verdict.
        reasons: Reasons of the verdict.
    """

    name: str
    sha256: Sha256
    meaning: str
    base: str
    verdict: str
    reasons: tuple[str, ...] = ()

    @property
    def passes(self) -> bool:
        """Return whether a push may apply the plan."""
        return self.verdict in DECLARED and not self.reasons


class Plan(_Part):
    """All actions of a push.

    Attributes:
        policy: SHA-256 of the team's rules (inventory/team.yaml) at the time of the plan.
        sizes: Requested batch sizes.
        floor: Minimum percentage of a tier outside each batch.
        together: Whether several fabrics are allowed in one plan.
        window: Whether all ends change in one batch.
        drain: Spines to drain.
        step: The step, if the plan does not reach the design yet.
        bound: Reasons why a change with two ends cannot be split into steps.
        declared: The declared change, if any. A push refuses the plan unless it passes.
    """

    format_version: Literal[4] = FORMAT
    id: Annotated[str, Field(pattern=rf"\A[0-9a-f]{{{ID_LENGTH}}}\z")]
    site: str
    made: str
    by: str
    tool: str
    policy: Sha256 | None = None
    sizes: str
    floor: Annotated[int, Field(ge=0, le=100)]
    together: bool
    window: bool
    drain: tuple[str, ...] = ()
    switches: tuple[Entry, ...]
    batches: tuple[PlannedBatch, ...]
    splits: tuple[Split, ...] = ()
    step: Stage | None = None
    bound: tuple[str, ...] = ()
    declared: DeclaredPlan | None = None

    def entry(self, name: str) -> Entry:
        """Return the entry of a switch."""
        return next(entry for entry in self.switches if entry.switch == name)

    def age(self, now: datetime) -> timedelta:
        """Return the age of the plan; raise BadPlan if the plan has no valid time."""
        try:
            return now - datetime.fromisoformat(self.made)
        except (ValueError, TypeError):
            raise BadPlan(f"plan {self.id} has no valid creation time: {self.made!r}") from None

    @property
    def changing(self) -> tuple[Entry, ...]:
        """Return the switches that change."""
        return tuple(entry for entry in self.switches if entry.state == "changes")

    @property
    def reloads(self) -> frozenset[str]:
        """Return the switches that restart all services."""
        return frozenset(entry.switch for entry in self.changing if entry.path == RELOAD)

    @property
    def breaking(self) -> tuple[Split, ...]:
        """Return the interruptions outside of windows, or that no batch ends."""
        return tuple(each for each in self.splits if each.breaks and not self._in_window(each))

    def _in_window(self, split: Split) -> bool:
        return split.begins == split.ends and self.batches[split.begins - 1].window is not None

    @property
    def unknown(self) -> tuple[Entry, ...]:
        """Return the switches without a known state; a push does not change them."""
        return tuple(entry for entry in self.switches if entry.state not in {"same", "changes"})

    @property
    def sha256(self) -> str:
        """Return the hash of the whole content, which an approval names."""
        return hashlib.sha256(_canonical(self).encode()).hexdigest()

    def begins(self, sha: str | None) -> None:
        """Check the hash prefix of the plan; raise BadPlan if it does not match."""
        if sha is not None and not (sha and self.sha256.startswith(sha)):
            raise BadPlan(f"--sha {sha} does not match the SHA-256 of the plan: {self.sha256}")


def fresh_id() -> str:
    """Return a random id in the format of plan ids, for a rollback or an unlock."""
    return secrets.token_hex(ID_LENGTH // 2)


def identified(plan: Plan) -> Plan:
    """Return the plan with its id: the first digits of the hash of all other fields."""
    return plan.model_copy(update={"id": _id_of(plan)})


def _id_of(plan: Plan) -> str:
    blank = plan.model_copy(update={"id": "0" * ID_LENGTH})
    return blank.sha256[:ID_LENGTH]


def _content(plan: Plan) -> dict[str, object]:
    """Return the data of a plan. One without a declared change is as before there were any."""
    data = plan.model_dump(mode="json")
    if plan.declared is None:
        del data["declared"]
    return data


def _canonical(plan: Plan) -> str:
    return json.dumps(_content(plan), sort_keys=True, separators=(",", ":"))


def as_text(plan: Plan) -> str:
    """Return the plan and its hash as JSON."""
    content = {**_content(plan), "sha256": plan.sha256}
    return json.dumps(content, indent=1) + "\n"


def write_plan(path: Path, plan: Plan) -> None:
    """Write a plan, completely or not at all; raise OSError if the file cannot be written."""
    write_whole(path, as_text(plan))


def read_plan(path: Path) -> Plan:
    """Read a plan; raise BadPlan if the file is not readable, not a plan, or was edited."""
    try:
        return plan_of(read_file(path).decode(), str(path))
    except OSError as error:
        raise BadPlan(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadPlan(f"{path} is not a JSON file") from None


def plan_of(text: str, path: str) -> Plan:
    """Parse the text of a plan. path: its origin, for the message of BadPlan."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        raise BadPlan(f"{path} is not a JSON file") from None
    if not isinstance(content, dict) or "format_version" not in content:
        raise BadPlan(f"{path} is not a plan of fabricgen")
    version = content["format_version"]
    if version != FORMAT:
        raise BadPlan(
            f"{path} has format {version!r}, this version reads {FORMAT}: create a new plan"
        )
    claimed = content.pop("sha256", None)
    try:
        plan = Plan.model_validate_json(json.dumps(content))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadPlan(f"{path} is not a valid plan: {where}: {first['msg']}") from None
    if claimed != plan.sha256 or plan.id != _id_of(plan):
        raise BadPlan(f"{path} was edited after its creation: create a new plan")
    if why := _contradiction(plan):
        raise BadPlan(f"{path} is not a valid plan: {why}")
    return plan


def readable(text: str | None) -> Plan | None:
    """Return a plan from a journal; None when it is missing or of another version."""
    try:
        return plan_of(text, "the plan") if text is not None else None
    except BadPlan:
        return None


def _within(split: Split, last: int) -> bool:
    """Check whether the batches of a split exist and are in order."""
    return split.begins <= last and (
        split.ends is None or max(split.begins, 1) <= split.ends <= last
    )


def _contradiction(plan: Plan) -> str:
    """Return a contradiction between parts of a plan; empty when there is none.

    The hash is not a signature: the author of a forged plan can compute it, too.
    """
    last = len(plan.batches)
    if len({entry.switch for entry in plan.switches}) < len(plan.switches):
        return "a switch is listed twice"
    changing = sorted(entry.switch for entry in plan.changing if entry.risk is not None)
    if changing != sorted(name for batch in plan.batches for name in batch.switches):
        return "the batches do not contain each changing switch once, with its risk"
    if not all(batch.switches for batch in plan.batches):
        return "a batch has no switch"
    if any(not _within(split, last) for split in plan.splits):
        return f"a split names a batch outside of 1 to {last}"
    if plan.step is not None and plan.step.left < 0:
        return f"invalid step {plan.step.number} of {plan.step.of}"
    return ""
