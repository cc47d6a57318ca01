"""Write and verify signatures of a plan in files next to it.

The signatures have the format of OpenSSH (PROTOCOL.sshsig; `ssh-keygen -Y sign` since 8.1). So any
SSH login key works, in a file, an agent or a token. fabricgen stores no key and computes no
signature.
"""

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from fabricgen.core.confined import Folder, Refused, write_whole
from fabricgen.operate.deploy.journal.records import Act, Signed
from fabricgen.operate.deploy.team.policy import Team

NAMESPACE = "fabricgen-plan"
"""Prevents the use of a signature that was made for git, mail or another tool."""
_TIME = "%Y-%m-%dT%H:%M:%SZ"
_FINGER = 180  # seconds for a token touch or a passphrase
_QUICK = 30  # seconds for a command without user input
_WRITTEN = re.compile(
    rf"{NAMESPACE} 1\nact (?P<act>[a-z-]+)\nplan (?P<plan>[0-9a-f]{{12,64}})\n"
    r"site (?P<site>[!-~]{1,200})\nwho (?P<who>[a-z][a-z0-9-]{0,30})\n"
    r"made (?P<made>[0-9TZ:-]{20})\nuntil (?P<until>[0-9TZ:-]{20})\nreason (?P<reason>[^\n]*)\n"
    r"(?P<signature>-----BEGIN SSH SIGNATURE-----\n[A-Za-z0-9+/=\n]+"
    r"-----END SSH SIGNATURE-----\n)"
)


class NoSignature(Exception):  # noqa: N818 - said to the operator
    """The reason why a key cannot sign or a signature is invalid."""


def text_of(signed: Signed) -> str:
    """Return the signed text: one line per field, one spelling per value."""
    return (
        f"{NAMESPACE} 1\nact {signed.act}\nplan {signed.plan}\nsite {signed.site}\n"
        f"who {signed.who}\nmade {signed.made:{_TIME}}\nuntil {signed.until:{_TIME}}\n"
        f"reason {signed.reason}\n"
    )


def written(signed: Signed) -> str:
    """Return the signed text and its signature, as stored in a file."""
    return text_of(signed) + signed.signature


def read(text: str) -> Signed:
    """Parse a signature file without verification.

    Raises:
        NoSignature: The text is not a signature of fabricgen.
    """
    match = _WRITTEN.fullmatch(text)
    try:
        signed = _signed(match) if match else None
    except ValueError:  # unknown act or invalid time
        signed = None
    if signed is None:
        raise NoSignature("not a fabricgen signature")
    return signed


def _signed(match: re.Match[str]) -> Signed:
    made, until = (
        datetime.strptime(match[key], _TIME).replace(tzinfo=UTC) for key in ("made", "until")
    )
    return Signed(
        act=Act(match["act"]),
        plan=match["plan"],
        site=match["site"],
        who=match["who"],
        made=made,
        until=until,
        reason=match["reason"],
        signature=match["signature"],
    )


def owner(team: Team, key: Path) -> str:
    """Return the owner of a private key, or of the public half of a key in an agent."""
    answer = _asked(["-l", "-E", "sha256", "-f", str(key)], "", _QUICK)
    words = answer.stdout.split()
    if answer.returncode or len(words) < 2:
        raise NoSignature(f"{key} is not an SSH key, or it is not readable")
    if words[1] not in team.owners:
        raise NoSignature(f"{key} ({words[1]}) belongs to no person in team.yaml")
    return team.owners[words[1]]


def sign(signed: Signed, key: Path) -> Signed:
    """Sign with a person's key; ssh-keygen asks for the passphrase on the terminal."""
    answer = _asked(["-Y", "sign", "-n", NAMESPACE, "-f", str(key)], text_of(signed), _FINGER)
    if answer.returncode:
        raise NoSignature(f"signing with {key} failed: {_last(answer.stderr)}")
    return replace(signed, signature=answer.stdout)


def prove(team: Team, signed: Signed) -> None:
    """Verify with ssh-keygen that this person signed exactly this text.

    Raises:
        NoSignature: The person is unknown or the signature does not match.
    """
    person = team.people.get(signed.who)
    if person is None:
        raise NoSignature(f"unknown person {signed.who}: not in team.yaml")
    lines = "".join(f'{signed.who} namespaces="{NAMESPACE}" {key}\n' for key in person.keys)
    with tempfile.TemporaryDirectory(prefix="fabricgen-") as folder:  # mode 0700
        allowed, signature = Path(folder, "allowed_signers"), Path(folder, "signature")
        allowed.write_text(lines)
        signature.write_text(signed.signature)
        words = ["-Y", "verify", "-n", NAMESPACE, "-I", signed.who]
        answer = _asked([*words, "-f", str(allowed), "-s", str(signature)], text_of(signed), _QUICK)
    if answer.returncode:
        raise NoSignature(f"the signature does not match a key of {signed.who}")


def _asked(words: list[str], text: str, patience: float) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(  # noqa: S603 - words of ours, a person's path, names of a pattern
            ["ssh-keygen", *words],  # noqa: S607 - the one of the user's PATH
            input=text,
            capture_output=True,
            text=True,
            timeout=patience,
            check=False,
        )
    except FileNotFoundError:
        raise NoSignature("ssh-keygen not found: install the OpenSSH client 8.1 or later") from (
            None
        )
    except subprocess.TimeoutExpired:
        raise NoSignature(f"ssh-keygen did not finish within {patience:.0f} s") from None


def _last(text: str) -> str:
    return (text.strip().splitlines() or ["no error message"])[-1]


# One file per person and act: two approvals in two branches or pipeline jobs do not conflict.

_MOST = 16 * 2**10
"""Limit of one file in bytes. An RSA signature of 16,384 bits has 3 KiB."""
_FILES = 100


def folder_of(plan: Path) -> Path:
    """Return the folder for the signatures of a plan."""
    return plan.parent / f"{plan.name}.approvals"


def keep(plan: Path, signed: Signed) -> Path:
    """Write a signature next to its plan, completely or not at all.

    Raises:
        OSError: The file cannot be written.
    """
    folder = folder_of(plan)
    if folder.is_symlink():
        raise Refused("the folder is a symbolic link; nothing was written")
    folder.mkdir(exist_ok=True)
    path = folder / f"{signed.who}.{signed.act}"
    write_whole(path, written(signed))
    return path


def kept(plan: Path) -> Iterator[tuple[str, Signed | str]]:
    """Yield each file name next to a plan with its signature, or the reason why it is invalid."""
    folder = folder_of(plan)
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208 - names alone; no link is followed below
    except FileNotFoundError:
        return
    except OSError as error:
        yield folder.name, str(error.strerror)
        return
    if len(names) > _FILES:
        yield folder.name, f"more than {_FILES} files: all ignored"
        return
    with Folder(plan.parent) as root:
        for name in names:
            try:
                yield name, read(root.text(f"{folder.name}/{name}", _MOST))
            except UnicodeDecodeError:
                yield name, "not a text file"
            except OSError as error:
                yield name, str(error.strerror)
            except NoSignature as none:
                yield name, str(none)
