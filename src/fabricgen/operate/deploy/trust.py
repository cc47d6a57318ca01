"""Collect host keys and certificates of switches for review.

It sends nothing to an untrusted switch: no user name, no password, no key.
"""

import base64
import hashlib
import socket
import ssl
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import paramiko
from nornir.core.inventory import Host, Inventory

from fabricgen.core.confined import write_whole
from fabricgen.nos.registry import nos
from fabricgen.operate.deploy.inventory.plugin import CONNECTION

_SSH_PORT, _TLS_PORT = 22, 443
_TIMEOUT = 20.0  # seconds
_AT_ONCE = 20
KNOWN_HOSTS, CERTIFICATES = "known_hosts", "certificates.pem"


class Verdict(StrEnum):
    """Result of the comparison of a key with the trusted key."""

    NEW = "new"
    SAME = "same"
    CHANGED = "CHANGED"
    SILENT = "no answer"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """The key of one switch. text: as stored in the file; said: the reason if there is none."""

    switch: str
    file: str
    text: str = ""
    fingerprint: str = ""
    said: str = ""


def scan(inventory: Inventory) -> list[Shown]:
    """Read the host key or certificate of every switch."""
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return list(pool.map(_shown, inventory.hosts.values()))


def _shown(host: Host) -> Shown:
    extras = host.connection_options[CONNECTION].extras or {}
    kind = CERTIFICATES if nos(str(host.platform)).tls else KNOWN_HOSTS
    try:
        if kind == CERTIFICATES:
            return _certificate(host, extras)
        return _host_key(host, extras)
    except (OSError, paramiko.SSHException, EOFError) as error:
        return Shown(switch=host.name, file=kind, said=str(error) or type(error).__name__)


def _host_key(host: Host, extras: Mapping[str, Any]) -> Shown:
    line = _line(host, extras)
    transport = paramiko.Transport(line)
    try:
        transport.start_client(timeout=_TIMEOUT)
        key = transport.get_remote_server_key()
    finally:
        transport.close()
        line.close()
    text = f"{host.name} {key.get_name()} {key.get_base64()}\n"
    digest = base64.b64encode(hashlib.sha256(key.asbytes()).digest()).decode().rstrip("=")
    return Shown(
        switch=host.name,
        file=KNOWN_HOSTS,
        text=text,
        fingerprint=f"{key.get_name()} SHA256:{digest}",
    )


def _line(host: Host, extras: Mapping[str, Any]) -> Any:
    command = extras.get("proxy_command")
    if command:
        proxy = command.format(name=host.name, address=host.hostname, port=host.port or "")
        return paramiko.ProxyCommand(proxy)
    return socket.create_connection((str(host.hostname), host.port or _SSH_PORT), _TIMEOUT)


def _certificate(host: Host, extras: Mapping[str, Any]) -> Shown:
    del extras
    address = (str(host.hostname), host.port or _TLS_PORT)
    text = ssl.get_server_certificate(address, timeout=_TIMEOUT)
    digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(text)).hexdigest()
    pairs = ":".join(digest[i : i + 2] for i in range(0, len(digest), 2)).upper()
    return Shown(
        switch=host.name,
        file=CERTIFICATES,
        text=f"# {host.name}\n{text}",
        fingerprint=f"TLS SHA256 {pairs}",
    )


def judged(folder: Path, shown: Iterable[Shown]) -> list[tuple[Shown, Verdict]]:
    """Compare the keys of switches with the trusted keys of the folder."""
    trusted = {kind: _trusted(folder / kind) for kind in (KNOWN_HOSTS, CERTIFICATES)}
    verdicts = []
    for each in shown:
        before = trusted[each.file].get(each.switch)
        if not each.text:
            verdict = Verdict.SILENT
        elif before is None:
            verdict = Verdict.NEW
        else:
            verdict = Verdict.SAME if before == each.text else Verdict.CHANGED
        verdicts.append((each, verdict))
    return verdicts


def write(folder: Path, verdicts: Iterable[tuple[Shown, Verdict]]) -> None:
    """Add new keys to the trusted keys; never overwrite a changed key."""
    folder.mkdir(parents=True, exist_ok=True)
    for kind in (KNOWN_HOSTS, CERTIFICATES):
        trusted = _trusted(folder / kind)
        fresh = {
            shown.switch: shown.text
            for shown, verdict in verdicts
            if shown.file == kind and verdict is Verdict.NEW
        }
        if fresh:
            text = "".join(text for _, text in sorted((trusted | fresh).items()))
            write_whole(folder / kind, text, 0o644)


def _trusted(path: Path) -> dict[str, str]:
    """Return the content of a file by switch: lines of known_hosts, or certificates."""
    if not path.exists():
        return {}
    trusted: dict[str, str] = {}
    name = ""
    for line in path.read_text().splitlines(keepends=True):
        if path.name == KNOWN_HOSTS:
            name, text = line.split(" ", 1)[0], line
            trusted[name] = text
        elif line.startswith("# "):
            name = line[2:].strip()
            trusted[name] = line
        elif name:
            trusted[name] += line
    return trusted
