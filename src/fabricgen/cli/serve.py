"""Implements `fabricgen serve SITE`, which serves web pages of a site that follow its files."""

from __future__ import annotations

import os
import re
import socket
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.help import define_verb
from fabricgen.cli.output import as_option, site_argument
from fabricgen.cli.plain import say

if TYPE_CHECKING:
    from fabricgen.cli.web.security import Access

PACKAGES = ("starlette", "uvicorn", "watchfiles")
SHORTEST = 16
"""Characters of the shortest token. `openssl rand -hex 32` has 64."""
_USUAL = {"host", "user-agent", "accept", "accept-encoding", "accept-language", "connection"}
"""Headers that every browser sends. They prove nothing about a proxy."""
_NAME = re.compile(r"[A-Za-z0-9._-]+")


@define_verb(
    "serve",
    examples=("serve intent/lab", "serve intent/full --port 9000"),
    codes={0: "Ended by Ctrl-C or SIGTERM"},
)
@site_argument
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8080,
    show_default=True,
    help="Port to listen on. 0: any free port.",
)
@click.option(
    "--public-name",
    "names",
    multiple=True,
    metavar="NAME",
    help="Name of this server in addresses. Repeatable.",
)
@click.option(
    "--token-file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Readers need the token in this file.",
)
@click.option(
    "--proxy-header", default="", metavar="NAME", help="Readers need this header of a proxy."
)
@as_option
def command(
    *,
    site: Path,
    host: str,
    port: int,
    names: tuple[str, ...],
    token_file: Path | None,
    proxy_header: str,
    as_platform: str | None,
) -> int:
    """Serve web pages of a site, live.

    The pages of `report` follow the files of SITE: a change is visible within seconds. They change
    no switch and no file. A host other than this machine needs --token-file or --proxy-header.
    """
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        say(f"error: package {missing[0]!r} is missing, install fabricgen[web]", err=True)
        return 1
    address = _address(host, port)
    if not (ip_address(address[0]).is_loopback or token_file or proxy_header):
        text = f"--host {host} is open to other machines: add --token-file or --proxy-header"
        raise click.UsageError(text)
    return _serve(site, as_platform, address, _access(host, names, token_file, proxy_header))


def _serve(site: Path, as_platform: str | None, address: tuple[str, int], access: Access) -> int:
    from fabricgen.cli.web.live import Live
    from fabricgen.cli.web.server import run

    if not site.is_dir():
        say(f"error: the site {str(site)!r} is not a directory", err=True)
        return 1
    family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
    try:
        listening = socket.create_server(address, family=family, backlog=1024)
    except OSError as error:
        say(f"error: cannot use port {address[1]} ({os.strerror(error.errno or 0)})", err=True)
        return 1
    with listening:
        name, port = listening.getsockname()[:2]
        shown = f"[{name}]" if ":" in name else name
        run(
            Live(site, as_platform),
            access,
            listening,
            started=lambda: say(f"http://{shown}:{port}/ shows {site}; Ctrl-C ends"),
        )
    return 0


def _address(host: str, port: int) -> tuple[str, int]:
    """Return the first address of a host."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise click.UsageError(f"--host {host!r} has no address on this machine") from None
    return str(found[0][4][0]), port


def _access(
    host: str, names: tuple[str, ...], token_file: Path | None, proxy_header: str
) -> Access:
    from fabricgen.cli.web.security import Access

    for name in names:
        if not _NAME.fullmatch(name):
            raise click.UsageError(f"--public-name {name!r} is no host name; write no port")
    if proxy_header and (not _NAME.fullmatch(proxy_header) or proxy_header.lower() in _USUAL):
        raise click.UsageError(f"--proxy-header {proxy_header!r} is no header of a proxy")
    own = {host, *names} if _NAME.fullmatch(host) and not _is_number(host) else set(names)
    return Access(
        token=_token(token_file) if token_file is not None else b"",
        proxy_header=proxy_header,
        names=frozenset(name.lower() for name in own),
    )


def _is_number(host: str) -> bool:
    try:
        return bool(ip_address(host))
    except ValueError:
        return False


def _token(path: Path) -> bytes:
    try:
        token = path.read_bytes().strip()
    except OSError as error:
        raise click.UsageError(f"--token-file {str(path)!r}: {error.strerror}") from None
    if len(token) < SHORTEST or not re.fullmatch(rb"[!-~]+", token):
        text = f"needs one word of {SHORTEST} or more printable ASCII characters"
        raise click.UsageError(f"--token-file {str(path)!r} {text}")
    return token
