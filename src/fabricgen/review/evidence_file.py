"""Defines the file with the evidence of a verdict, and reads it with limits."""

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

FORMAT: Literal[1] = 1
KIND: Literal["fabricgen evidence"] = "fabricgen evidence"
MAX_BYTES = 64 * 2**20
"""Maximum size of a file."""
Label = Literal["read back", "model check", "lab run", "nothing"]
READ_BACK: Label = "read back"
MODEL_CHECK: Label = "model check"
LAB_RUN: Label = "lab run"
NOTHING: Label = "nothing"
Sha256 = Annotated[str, Field(pattern=r"\A[0-9a-f]{64}\z")]
Text = Annotated[str, Field(max_length=100_000)]


class BadEvidence(Exception):  # noqa: N818 - shown to the user
    """A file that is no evidence of this version."""


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True, extra="forbid", hide_input_in_errors=True)


class SideDigests(_Part):
    """Digests of one side. A side without an intent has only the digest of its files.

    Attributes:
        name: Its name on the command line. It is not compared.
        intent: Keys and values of the intent, in their order.
        catalog: Hardware facts of the site.
        templates: Custom templates of the site.
        files: The compared files, and the names of the folders that are equal on both sides.
    """

    name: Text
    intent: Sha256 | None
    catalog: Sha256 | None
    templates: Sha256 | None
    files: Sha256


class Compiler(_Part):
    """Version of the package, and digest of its source files and templates."""

    version: Text
    source: Sha256


class DeclaredText(_Part):
    """The declared change, so that the verdict can be computed again."""

    name: Text
    sha256: Sha256
    text: Annotated[str, Field(max_length=2**20)]


class Lines(_Part):
    """One template of changed lines with what supports it.

    Attributes:
        file: Path of the file below the folder of the device.
        place: Sections around the lines.
        removed: Removed lines. `{1}` is a varying value.
        added: Added lines.
        devices: Folders of the devices.
        labels: What supports the lines on all these devices.
        whole: Whether the devices are new or removed with the complete file.
    """

    file: Text
    place: tuple[Text, ...]
    removed: tuple[Text, ...]
    added: tuple[Text, ...]
    devices: tuple[Text, ...]
    labels: Annotated[tuple[Label, ...], Field(min_length=1)]
    whole: bool = False


class Evidence(_Part):
    """Everything that is needed to compute a verdict again from the same two sides.

    Attributes:
        before: Digests of side A.
        after: Digests of side B.
        declared: The declared change, if there is one.
        approvers: Owners who approved.
        lab: Names of the devices that a lab run compared.
        verdict: Word of the verdict.
        reasons: Reasons of the verdict.
        refused: Reasons of the gates.
        lines: Changed lines by template.
    """

    format_version: Literal[1] = FORMAT
    kind: Literal["fabricgen evidence"] = KIND
    before: SideDigests
    after: SideDigests
    compiler: Compiler
    declared: DeclaredText | None = None
    approvers: Annotated[tuple[Text, ...], Field(max_length=1000)] = ()
    lab: tuple[Text, ...] = ()
    verdict: Text
    reasons: tuple[Text, ...] = ()
    refused: tuple[Text, ...] = ()
    lines: tuple[Lines, ...] = ()


def as_text(evidence: Evidence) -> str:
    """Return evidence as a JSON document."""
    return json.dumps(evidence.model_dump(mode="json"), indent=1) + "\n"


def evidence_of(content: bytes, name: str) -> Evidence:
    """Read evidence.

    Raises:
        BadEvidence: The content is too large, no JSON, of another version, or has unknown keys.
    """
    if len(content) > MAX_BYTES:
        raise BadEvidence(f"{name} is larger than {MAX_BYTES >> 20} MiB, the limit of evidence")
    try:
        data: Any = json.loads(content)
    except (ValueError, RecursionError):
        raise BadEvidence(f"{name} is not a JSON file; `diff --evidence` writes one") from None
    if not isinstance(data, dict) or data.get("kind") != KIND:
        raise BadEvidence(f"{name} is not evidence of fabricgen; `diff --evidence` writes it")
    if data.get("format_version") != FORMAT:
        raise BadEvidence(
            f"{name} has format {str(data.get('format_version'))[:20]}, this version reads "
            f"{FORMAT}: write the evidence again"
        )
    try:
        return Evidence.model_validate_json(content)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part)[:60] for part in first["loc"])
        raise BadEvidence(f"{name} is not valid evidence, {where}: {first['msg']}") from None
