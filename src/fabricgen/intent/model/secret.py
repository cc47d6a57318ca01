"""Defines references to secrets in the intent, which never contains the secret itself."""

from typing import Annotated

from pydantic import Field

REFERENCE = (
    r"^(env:[A-Za-z_][A-Za-z0-9_]{0,99}|file:[A-Za-z0-9_./-]{1,120}"
    r"|(sops|vault):[A-Za-z0-9_./-]{1,100}#[A-Za-z0-9_.-]{1,60}"
    r"|x-[a-z0-9-]{1,20}:[A-Za-z0-9_./#-]{1,120})$"
)
SecretReference = Annotated[
    str,
    Field(
        pattern=REFERENCE,
        description="Location of the secret, never the secret itself: env:NAME, file:PATH, "
        "sops:FILE#KEY, vault:MOUNT/PATH#KEY, or x-NAME:… of another package. The "
        "rendered files hold a placeholder that only a push resolves.",
        examples=["env:FABRIC_ADMIN_HASH"],
    ),
]
