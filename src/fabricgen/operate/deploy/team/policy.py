"""Defines and validates inventory/team.yaml: who may do what and when."""

import base64
import binascii
import hashlib
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

from fabricgen.core.diagnostics import Code, Diagnostic, did_you_mean
from fabricgen.intent.model.vocabulary import Name

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_KINDS = (
    "ssh-ed25519",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "sk-ssh-ed25519@openssh.com",
    "sk-ecdsa-sha2-nistp256@openssh.com",
    "ssh-rsa",
)
_RSA_2048 = 270
"""Smallest size in bytes of a 2,048-bit RSA public key, encoded as in RFC 4253, section 6.6."""


def _key(text: str) -> str:
    """Return a public key without its comment."""
    text = text.strip()
    kind, _, rest = text.partition(" ")
    encoded = rest.strip().partition(" ")[0]
    try:
        blob = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        blob = b""
    named = len(kind).to_bytes(4, "big") + kind.encode()
    if kind not in _KINDS or not text.isprintable() or not blob.startswith(named):
        raise PydanticCustomError(
            "bad_key", f"must be a public SSH key, for example {_KINDS[0]} AAAA…"
        )
    if kind == "ssh-rsa" and len(blob) < _RSA_2048:
        raise PydanticCustomError("bad_key", "must be an RSA key of at least 2048 bits")
    return f"{kind} {encoded}"


def _zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (OSError, ValueError, LookupError):
        raise PydanticCustomError(
            "bad_zone", "must be a time zone that this machine has, for example Europe/Berlin"
        ) from None
    return name


def _moment(text: str) -> str:
    try:
        known = datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        known = False
    if not known:
        raise PydanticCustomError(
            "bad_moment", "must be a time with an offset, for example 2026-12-20T18:00+01:00"
        )
    return text


def fingerprint(key: str) -> str:
    """Return the SHA256 fingerprint of a public key, as ssh-keygen prints it."""
    digest = hashlib.sha256(base64.b64decode(key.split()[1])).digest()
    return f"SHA256:{base64.b64encode(digest).decode().rstrip('=')}"


Key = Annotated[str, AfterValidator(_key)]
Clock = Annotated[str, Field(pattern=r"\A(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)\z")]
Zone = Annotated[str, AfterValidator(_zone)]
Moment = Annotated[str, AfterValidator(_moment)]


class _Words(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", hide_input_in_errors=True)


class Person(_Words):
    """A person or a pipeline with its own keys."""

    keys: list[Key] = Field(min_length=1, description="Public SSH keys.")


class Rights(_Words):
    """Names by right. Without plan or push, every user has the right."""

    plan: list[Name] | None = Field(None, description="Persons whose plans may be pushed.")
    push: list[Name] | None = Field(None, description="Persons who may push and roll back.")
    approve: list[Name] = Field(default_factory=list, description="Persons whose approval counts.")
    break_glass: list[Name] = Field(
        default_factory=list,
        description="Persons who may push without approvals, windows and freezes.",
    )


class Approvals(_Words):
    """Approvals that a plan needs before a push."""

    needed: int = Field(1, ge=1, le=10, description="Number of required approvals.")
    hours: int = Field(24, ge=1, le=720, description="Longest validity of an approval in hours.")
    own: bool = Field(False, description="Allow the planner to approve the plan.")


class Window(_Words):
    """Period for changes in a time zone. An end before the start is on the next day."""

    days: list[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]] = Field(
        min_length=1, description="Days on which the window begins."
    )
    start: Clock = Field(alias="from", description="Start time, for example 22:00.")
    end: Clock = Field(alias="to", description="End time, for example 04:00.")
    zone: Zone = Field("UTC", description="Time zone of the times.")
    fabrics: list[Name] = Field(
        default_factory=list, description="Fabrics with this window. Default: all fabrics."
    )


class Freeze(_Words):
    """Period without changes."""

    start: Moment = Field(alias="from", description="Start, for example 2026-12-20T18:00+01:00.")
    end: Moment = Field(alias="to", description="End.")
    reason: str = Field(
        min_length=1, max_length=200, description="Reason, shown to a user who pushes."
    )
    fabrics: list[Name] = Field(
        default_factory=list, description="Frozen fabrics. Default: all fabrics."
    )

    def holds(self, now: datetime) -> bool:
        """Check whether the freeze is active."""
        start, end = map(datetime.fromisoformat, (self.start, self.end))
        return start.astimezone(UTC) <= now < end.astimezone(UTC)


class Team(_Words):
    """Content of inventory/team.yaml."""

    people: dict[Name, Person] = Field(min_length=1, description="Persons and pipelines by name.")
    may: Rights = Rights()
    approvals: Approvals | None = Field(None, description="Required approvals. Default: none.")
    windows: list[Window] = Field(
        default_factory=list, description="Change windows. Default: always open."
    )
    freezes: list[Freeze] = Field(default_factory=list)

    @property
    def owners(self) -> dict[str, str]:
        """Return the name of the owner by key fingerprint."""
        return {fingerprint(key): name for name, it in self.people.items() for key in it.keys}


def strangers(team: Team, fabrics: Collection[str]) -> Iterator[Diagnostic]:
    """Yield unknown names, shared keys, empty periods and impossible approval counts."""
    for right in Rights.model_fields:
        for place, name in enumerate(getattr(team.may, right) or ()):
            if name not in team.people:
                hint = did_you_mean(name, team.people)
                yield _nobody(
                    f"unknown person {name!r}: not in `people`", ("team", "may", right, place), hint
                )
    spans: dict[str, Sequence[Window | Freeze]] = {"windows": team.windows, "freezes": team.freezes}
    for kind, each in spans.items():
        for number, span in enumerate(each):
            if span.start == span.end:
                sentence = f"{kind}[{number + 1}]: `from` and `to` are equal"
                yield Diagnostic(Code.BAD_VALUE, sentence, path=("team", kind, number, "to"))
            for place, name in enumerate(span.fabrics):
                if name not in fabrics:
                    hint, path = (
                        did_you_mean(name, fabrics),
                        ("team", kind, number, "fabrics", place),
                    )
                    yield _nobody(f"no fabric {name!r} in this site", path, hint)
    yield from _shared(team)
    needed = team.approvals.needed if team.approvals else 0
    if needed > (many := len(set(team.may.approve))):
        sentence = f"needed: {needed} approvals are required, but only {many} people may approve"
        yield Diagnostic(Code.BAD_VALUE, sentence, path=("team", "approvals"))


def _nobody(sentence: str, path: tuple[str | int, ...], hint: str) -> Diagnostic:
    return Diagnostic(Code.UNKNOWN_REFERENCE, sentence, path=path, hint=hint)


def _shared(team: Team) -> Iterator[Diagnostic]:
    seen: set[str] = set()
    for name, person in team.people.items():
        for place, key in enumerate(person.keys):
            if key in seen:
                path = ("team", "people", name, "keys", place)
                yield Diagnostic(
                    Code.BAD_VALUE, f"{name}: this key is listed twice in team.yaml", path=path
                )
            seen.add(key)
