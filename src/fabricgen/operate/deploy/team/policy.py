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
"""Bytes that a public RSA key of 2,048 bits has at least, in the form of RFC 4253, section 6.6."""


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
            "bad_key", f"must be a public SSH key, as a line of {_KINDS[0]} AAAA…"
        )
    if kind == "ssh-rsa" and len(blob) < _RSA_2048:
        raise PydanticCustomError("bad_key", "must be an RSA key of at least 2048 bits")
    return f"{kind} {encoded}"


def _zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (OSError, ValueError, LookupError):
        raise PydanticCustomError(
            "bad_zone", "must be a time zone that this machine knows, as Europe/Berlin"
        ) from None
    return name


def _moment(text: str) -> str:
    try:
        known = datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        known = False
    if not known:
        raise PydanticCustomError(
            "bad_moment", "must be a time with its offset, as 2026-12-20T18:00+01:00"
        )
    return text


def fingerprint(key: str) -> str:
    """Return what ssh-keygen calls a public key, SHA256:… ."""
    digest = hashlib.sha256(base64.b64decode(key.split()[1])).digest()
    return f"SHA256:{base64.b64encode(digest).decode().rstrip('=')}"


Key = Annotated[str, AfterValidator(_key)]
Clock = Annotated[str, Field(pattern=r"\A(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)\z")]
Zone = Annotated[str, AfterValidator(_zone)]
Moment = Annotated[str, AfterValidator(_moment)]


class _Words(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", hide_input_in_errors=True)


class Person(_Words):
    """Somebody, or a pipeline, by the keys that nobody else has."""

    keys: list[Key] = Field(min_length=1, description="Public SSH keys.")


class Rights(_Words):
    """Who may do what, by name. Without plan or push anybody may who reaches the switches."""

    plan: list[Name] | None = Field(None, description="Whose plans may be pushed.")
    push: list[Name] | None = Field(None, description="Who may push, and roll back.")
    approve: list[Name] = Field(default_factory=list, description="Whose approval counts.")
    break_glass: list[Name] = Field(
        default_factory=list, description="Who may push without approvals, windows and freezes."
    )


class Approvals(_Words):
    """What a plan needs before it is pushed."""

    needed: int = Field(1, ge=1, le=10, description="People who have to approve.")
    hours: int = Field(24, ge=1, le=720, description="How long an approval holds at most.")
    own: bool = Field(False, description="Whoever made a plan may approve it, too.")


class Window(_Words):
    """When switches may change, by the clock of a time zone; past midnight if it ends earlier."""

    days: list[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]] = Field(
        min_length=1, description="On which it begins."
    )
    start: Clock = Field(alias="from", description="When it begins, as 22:00.")
    end: Clock = Field(alias="to", description="When it ends, as 04:00.")
    zone: Zone = Field("UTC", description="Whose clock.")
    fabrics: list[Name] = Field(default_factory=list, description="Which; without it, all.")


class Freeze(_Words):
    """When no switch may change."""

    start: Moment = Field(alias="from", description="When it begins, as 2026-12-20T18:00+01:00.")
    end: Moment = Field(alias="to", description="When it ends.")
    reason: str = Field(min_length=1, max_length=200, description="What is said to who pushes.")
    fabrics: list[Name] = Field(default_factory=list, description="Which; without it, all.")

    def holds(self, now: datetime) -> bool:
        """Tell whether it is on."""
        start, end = map(datetime.fromisoformat, (self.start, self.end))
        return start.astimezone(UTC) <= now < end.astimezone(UTC)


class Team(_Words):
    """inventory/team.yaml."""

    people: dict[Name, Person] = Field(min_length=1, description="Everybody by a name.")
    may: Rights = Rights()
    approvals: Approvals | None = Field(None, description="Without it, a plan needs none.")
    windows: list[Window] = Field(default_factory=list, description="Without it, at any time.")
    freezes: list[Freeze] = Field(default_factory=list)

    @property
    def owners(self) -> dict[str, str]:
        """Return whose each key is, by its fingerprint."""
        return {fingerprint(key): name for name, it in self.people.items() for key in it.keys}


def strangers(team: Team, fabrics: Collection[str]) -> Iterator[Diagnostic]:
    """Say which people and fabrics there are not, whose key is not his alone, what cannot come."""
    for right in Rights.model_fields:
        for place, name in enumerate(getattr(team.may, right) or ()):
            if name not in team.people:
                hint = did_you_mean(name, team.people)
                yield _nobody(f"nobody is called {name!r}", ("team", "may", right, place), hint)
    spans: dict[str, Sequence[Window | Freeze]] = {"windows": team.windows, "freezes": team.freezes}
    for kind, each in spans.items():
        for number, span in enumerate(each):
            if span.start == span.end:
                sentence = f"{kind}[{number + 1}]: begins when it ends"
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
        sentence = f"{needed} approvals are needed, and {many} people may approve"
        yield Diagnostic(Code.BAD_VALUE, sentence, path=("team", "approvals"))


def _nobody(sentence: str, path: tuple[str | int, ...], hint: str) -> Diagnostic:
    return Diagnostic(Code.UNKNOWN_REFERENCE, sentence, path=path, hint=hint)


def _shared(team: Team) -> Iterator[Diagnostic]:
    seen: set[str] = set()
    for name, person in team.people.items():
        for place, key in enumerate(person.keys):
            if key in seen:
                path = ("team", "people", name, "keys", place)
                yield Diagnostic(Code.BAD_VALUE, f"{name}: this key stands here twice", path=path)
            seen.add(key)
