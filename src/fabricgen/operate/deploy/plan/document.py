"""Defines the document of a plan: its parts, its hash, and its bytes on disk."""

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
ID_LENGTH = 12  # hex digits: it has to fit into the name of a session on a switch


Way = Literal["in place", "reload"]
IN_PLACE: Way = "in place"
RELOAD: Way = "reload"
Hurt = Annotated[str, Field(pattern=rf"\A({'|'.join(risk.word for risk in Risk)})\z")]
Sha256 = Annotated[str, Field(pattern=r"\A[0-9a-f]{64}\z")]


class BadPlan(Exception):  # noqa: N818 - said to the operator
    """A file that is no plan, or not the plan that was made."""


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", hide_input_in_errors=True)


class Reason(_Part):
    """What one rule says of a change: how much it hurts, where and why."""

    risk: Hurt
    file: str
    where: str
    more: int
    kind: str
    why: str


class Entry(_Part):
    """One switch. running, rendered: sha256 of both sides; rendered without its secrets.

    state: `same`, `changes`, or why nothing is known. said: in a sentence. diff: by the switch, its
    first lines; change: sha256 of all of it, so that only what was reviewed is done. path: whether
    every service starts anew for it, and why. unread: what runs and no grammar knows, file by file.
    kept: what others own there and stays.
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


class Split(_Part):
    """What two or more switches have to say alike and do not for a while.

    what: `VLAN 100 jobs`; differs: its values, and on how many. begins, ends: batches, from 1;
    begins is 0 where it differs already, ends None where this plan does not end it, and both are
    one where all ends change at once. seconds: how long that is, by what batches of this site took
    (the median); None where none is known, or no end. effect, source: what happens meanwhile, and
    where that is written. breaks: something that works now does not meanwhile. between: its ends;
    outside: those that are not in this plan.
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
    """Why ends change in one batch that ordinary batches keep apart: what joins them."""

    vlans: tuple[int, ...]
    vrfs: tuple[str, ...]
    cables: bool


class PlannedBatch(_Part):
    """Switches that change at once. why: what keeps it from being larger.

    window: all ends of something, which does not work while they change.
    """

    fabric: str
    switches: tuple[str, ...]
    why: str
    stays: tuple[str, ...]
    warnings: tuple[str, ...]
    window: Together | None = None


def _address(text: str) -> str:
    """Return an address as it is; ValueError where it is none."""
    ip_address(text)
    return text


class Keeps(_Part):
    """What a switch keeps beside its design in a step, as `fabric.transition` has it."""

    imports: tuple[int, ...] = ()
    exports: tuple[int, ...] = ()
    asn: int | None = None
    strangers: tuple[str, ...] = ()
    asns: dict[str, int] = {}
    addresses: dict[str, Annotated[str, AfterValidator(_address)]] = {}
    drained: bool = False

    @property
    def transition(self) -> Transition:
        """Return it for rendering."""
        return Transition(**self.model_dump())


def keeps_of(own: Transition) -> Keeps:
    """Return what a switch keeps as the document has it."""
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
    """The step that this plan is: its number, of how many, in a sentence, and for whom it waits.

    kept: by switch; whoever is not there becomes what is designed.
    """

    number: Annotated[int, Field(ge=1)]
    of: int
    said: str
    waits: tuple[str, ...] = ()
    kept: dict[str, Keeps] = {}

    @property
    def left(self) -> int:
        """How many steps come after it."""
        return self.of - self.number

    @property
    def transitions(self) -> dict[str, Transition]:
        """Return what switches keep, for rendering."""
        return {name: keeps.transition for name, keeps in self.kept.items()}


class Plan(_Part):
    """Everything a push will do. floor: percent of a tier that must stay untouched.

    sizes, floor, together, window, drain: what was asked for, as `Wish` has it; the rest follows
    from that and from what switches run. policy: sha256 of the rules of the team
    (inventory/team.yaml) under which it was made.
    step: it leads to one step of a change, not to the design yet. bound: why something that has two
    ends cannot go by steps.
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

    def entry(self, name: str) -> Entry:
        """Return what is said of a switch."""
        return next(entry for entry in self.switches if entry.switch == name)

    def age(self, now: datetime) -> timedelta:
        """Return how old the plan is; BadPlan when it does not say when it was made."""
        try:
            return now - datetime.fromisoformat(self.made)
        except (ValueError, TypeError):
            raise BadPlan(f"plan {self.id} was made at no time: {self.made!r}") from None

    @property
    def changing(self) -> tuple[Entry, ...]:
        """Return the switches that change."""
        return tuple(entry for entry in self.switches if entry.state == "changes")

    @property
    def reloads(self) -> frozenset[str]:
        """Return the switches whose services all start anew."""
        return frozenset(entry.switch for entry in self.changing if entry.path == RELOAD)

    @property
    def breaking(self) -> tuple[Split, ...]:
        """Return what a batch takes away that is no window, or no batch brings back."""
        return tuple(each for each in self.splits if each.breaks and not self._in_window(each))

    def _in_window(self, split: Split) -> bool:
        return split.begins == split.ends and self.batches[split.begins - 1].window is not None

    @property
    def unknown(self) -> tuple[Entry, ...]:
        """Return the switches of which nothing is known, and that a push leaves alone."""
        return tuple(entry for entry in self.switches if entry.state not in {"same", "changes"})

    @property
    def sha256(self) -> str:
        """Return the hash of all that it says; an approval can name it."""
        return hashlib.sha256(_canonical(self).encode()).hexdigest()

    def begins(self, sha: str | None) -> None:
        """Make sure that its hash begins as somebody said, if so; BadPlan when not."""
        if sha is not None and not (sha and self.sha256.startswith(sha)):
            raise BadPlan(f"the plan's sha256 is {self.sha256}, not {sha}")


def fresh_id() -> str:
    """Return an id as plans have it, for what is no plan: a way back, an end of claims."""
    return secrets.token_hex(ID_LENGTH // 2)


def identified(plan: Plan) -> Plan:
    """Return the plan with its id: the first digits of the hash of all the rest."""
    return plan.model_copy(update={"id": _id_of(plan)})


def _id_of(plan: Plan) -> str:
    blank = plan.model_copy(update={"id": "0" * ID_LENGTH})
    return blank.sha256[:ID_LENGTH]


def _canonical(plan: Plan) -> str:
    return json.dumps(plan.model_dump(mode="json"), sort_keys=True, separators=(",", ":"))


def as_text(plan: Plan) -> str:
    """Return the plan as JSON for people and programs, with its hash."""
    content = {**plan.model_dump(mode="json"), "sha256": plan.sha256}
    return json.dumps(content, indent=1) + "\n"


def write_plan(path: Path, plan: Plan) -> None:
    """Write a plan, whole or not at all. OSError when that cannot be."""
    write_whole(path, as_text(plan))


def read_plan(path: Path) -> Plan:
    """Read a plan. BadPlan, with a sentence, when it cannot be or when it was edited."""
    try:
        return plan_of(read_file(path).decode(), str(path))
    except OSError as error:
        raise BadPlan(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadPlan(f"{path} is not JSON") from None


def plan_of(text: str, path: str) -> Plan:
    """Read the text of a plan; path: where it stands, for the sentence of BadPlan."""
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        raise BadPlan(f"{path} is not JSON") from None
    if not isinstance(content, dict) or "format_version" not in content:
        raise BadPlan(f"{path} is no plan of fabricgen")
    version = content["format_version"]
    if version != FORMAT:
        raise BadPlan(f"{path} has format {version!r}; this version reads {FORMAT}: make it anew")
    claimed = content.pop("sha256", None)
    try:
        plan = Plan.model_validate_json(json.dumps(content))
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise BadPlan(f"{path} is no whole plan: {where}: {first['msg']}") from None
    if claimed != plan.sha256 or plan.id != _id_of(plan):
        raise BadPlan(f"{path} was edited after it was made; make the plan anew")
    if why := _contradiction(plan):
        raise BadPlan(f"{path} is no whole plan: {why}")
    return plan


def readable(text: str | None) -> Plan | None:
    """Return a plan that a journal keeps; None where none is kept, or one of another fabricgen."""
    try:
        return plan_of(text, "the plan") if text is not None else None
    except BadPlan:
        return None


def _within(split: Split, last: int) -> bool:
    """Tell whether a split is of batches that there are, in their order."""
    return split.begins <= last and (
        split.ends is None or max(split.begins, 1) <= split.ends <= last
    )


def _contradiction(plan: Plan) -> str:
    """Say in what its parts contradict each other; empty when they do not.

    The hash is no signature: whoever writes a plan by hand can write that, too.
    """
    last = len(plan.batches)
    if len({entry.switch for entry in plan.switches}) < len(plan.switches):
        return "it has a switch twice"
    changing = sorted(entry.switch for entry in plan.changing if entry.risk is not None)
    if changing != sorted(name for batch in plan.batches for name in batch.switches):
        return "its batches are not the switches that change, each of them once, with its risk"
    if not all(batch.switches for batch in plan.batches):
        return "one of its batches has no switch"
    if any(not _within(split, last) for split in plan.splits):
        return f"a split is told of a batch that is none of its {last}"
    if plan.step is not None and plan.step.left < 0:
        return f"step {plan.step.number} of {plan.step.of}"
    return ""
