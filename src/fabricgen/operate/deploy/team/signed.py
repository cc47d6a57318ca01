"""Writes and verifies signatures of a plan in a file next to it.

The signatures are those of OpenSSH (PROTOCOL.sshsig; `ssh-keygen -Y sign` since 8.1). So any SSH
login key works, in a file, an agent or a token. fabricgen holds no key and computes no signature
itself.
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
"""So that a signature that was made for git, mail or another tool is none here."""
_TIME = "%Y-%m-%dT%H:%M:%SZ"
_FINGER = 180  # seconds: a token waits for a finger, a key for its passphrase
_QUICK = 30  # seconds of what needs nobody
_WRITTEN = re.compile(
    rf"{NAMESPACE} 1\nact (?P<act>[a-z-]+)\nplan (?P<plan>[0-9a-f]{{12,64}})\n"
    r"site (?P<site>[!-~]{1,200})\nwho (?P<who>[a-z][a-z0-9-]{0,30})\n"
    r"made (?P<made>[0-9TZ:-]{20})\nuntil (?P<until>[0-9TZ:-]{20})\nreason (?P<reason>[^\n]*)\n"
    r"(?P<signature>-----BEGIN SSH SIGNATURE-----\n[A-Za-z0-9+/=\n]+"
    r"-----END SSH SIGNATURE-----\n)"
)


class NoSignature(Exception):  # noqa: N818 - said to the operator
    """A key that does not sign, or a signature that is none of the team's; a sentence."""


def text_of(signed: Signed) -> str:
    """Return what is signed: every field in a line of its own, one spelling for each."""
    return (
        f"{NAMESPACE} 1\nact {signed.act}\nplan {signed.plan}\nsite {signed.site}\n"
        f"who {signed.who}\nmade {signed.made:{_TIME}}\nuntil {signed.until:{_TIME}}\n"
        f"reason {signed.reason}\n"
    )


def written(signed: Signed) -> str:
    """Return the text with its signature, as it stands in a file."""
    return text_of(signed) + signed.signature


def read(text: str) -> Signed:
    """Read what was written. NoSignature when it is not that; nothing is proven yet."""
    match = _WRITTEN.fullmatch(text)
    try:
        signed = _signed(match) if match else None
    except ValueError:  # no act of ours, no moment
        signed = None
    if signed is None:
        raise NoSignature("it is not what `fabricgen` signs")
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
    """Return whose key it is: a private one, or the public half of one that an agent holds."""
    answer = _asked(["-l", "-E", "sha256", "-f", str(key)], "", _QUICK)
    words = answer.stdout.split()
    if answer.returncode or len(words) < 2:
        raise NoSignature(f"{key} is no SSH key, or cannot be read")
    if words[1] not in team.owners:
        raise NoSignature(f"{key} ({words[1]}) is nobody's in team.yaml")
    return team.owners[words[1]]


def sign(signed: Signed, key: Path) -> Signed:
    """Sign with a person's key; its passphrase is asked for on the terminal."""
    answer = _asked(["-Y", "sign", "-n", NAMESPACE, "-f", str(key)], text_of(signed), _FINGER)
    if answer.returncode:
        raise NoSignature(f"{key} does not sign: {_last(answer.stderr)}")
    return replace(signed, signature=answer.stdout)


def prove(team: Team, signed: Signed) -> None:
    """Have ssh-keygen prove that this person signed exactly this. NoSignature when not."""
    person = team.people.get(signed.who)
    if person is None:
        raise NoSignature(f"nobody in team.yaml is called {signed.who}")
    lines = "".join(f'{signed.who} namespaces="{NAMESPACE}" {key}\n' for key in person.keys)
    with tempfile.TemporaryDirectory(prefix="fabricgen-") as folder:  # mode 0700
        allowed, signature = Path(folder, "allowed_signers"), Path(folder, "signature")
        allowed.write_text(lines)
        signature.write_text(signed.signature)
        words = ["-Y", "verify", "-n", NAMESPACE, "-I", signed.who]
        answer = _asked([*words, "-f", str(allowed), "-s", str(signature)], text_of(signed), _QUICK)
    if answer.returncode:
        raise NoSignature(f"its signature is not {signed.who}'s")


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
        raise NoSignature("ssh-keygen is not there: install OpenSSH's client, 8.1 or later") from (
            None
        )
    except subprocess.TimeoutExpired:
        raise NoSignature(f"ssh-keygen did not end within {patience:.0f} s") from None


def _last(text: str) -> str:
    return (text.strip().splitlines() or ["without a word"])[-1]


# A file for each person and act, so that two people who approve in two branches of a repository, or
# in two jobs of a pipeline, write two files.

_MOST = 16 * 2**10
"""Bytes of one file: an RSA signature of 16,384 bits has 3 KiB."""
_FILES = 100


def folder_of(plan: Path) -> Path:
    """Return where the signatures of a plan are kept."""
    return plan.parent / f"{plan.name}.approvals"


def keep(plan: Path, signed: Signed) -> Path:
    """Write a signature beside its plan, whole or not at all. OSError when that cannot be."""
    folder = folder_of(plan)
    if folder.is_symlink():
        raise Refused("a link; nothing is written through it")
    folder.mkdir(exist_ok=True)
    path = folder / f"{signed.who}.{signed.act}"
    write_whole(path, written(signed))
    return path


def kept(plan: Path) -> Iterator[tuple[str, Signed | str]]:
    """Yield the name of each file beside a plan, and what was signed or why it is nothing."""
    folder = folder_of(plan)
    try:
        names = sorted(os.listdir(folder))  # noqa: PTH208 - names alone; no link is followed below
    except FileNotFoundError:
        return
    except OSError as error:
        yield folder.name, str(error.strerror)
        return
    if len(names) > _FILES:
        yield folder.name, f"more than {_FILES} files: none was read"
        return
    with Folder(plan.parent) as root:
        for name in names:
            try:
                yield name, read(root.text(f"{folder.name}/{name}", _MOST))
            except UnicodeDecodeError:
                yield name, "it is not text"
            except OSError as error:
                yield name, str(error.strerror)
            except NoSignature as none:
                yield name, str(none)
