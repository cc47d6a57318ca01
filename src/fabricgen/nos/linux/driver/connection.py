"""SSH to one switch: its host key is known or the connection is refused; one channel a command."""

from __future__ import annotations

import contextlib
import shlex
import socket
import subprocess
import tempfile
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import paramiko
from napalm.base.exceptions import (
    CommandTimeoutException,
    ConnectAuthError,
    ConnectionClosedException,
    ConnectionException,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

_CHUNK = 32768
_PAUSE = 0.02
_NONE = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How to reach a switch. alias: the name under which its key is known."""

    host: str
    user: str
    password: str
    timeout: float
    port: int = 22
    alias: str = ""
    key_file: str | None = None
    known_hosts: str | None = None
    proxy_command: str | None = None
    insecure: bool = False

    @classmethod
    def of(
        cls, host: str, user: str, password: str, timeout: float, options: Mapping[str, Any]
    ) -> Way:
        """Read NAPALM's optional_args; those of other drivers are none of ours."""
        return cls(
            host=host,
            user=user,
            password=password,
            timeout=timeout,
            port=int(options.get("port", 22)),
            alias=options.get("host_key_alias") or "",
            key_file=options.get("key_file"),
            known_hosts=options.get("known_hosts"),
            proxy_command=options.get("proxy_command"),
            insecure=bool(options.get("insecure", False)),
        )

    @property
    def known_as(self) -> str:
        """The name under which paramiko looks for the host key, as OpenSSH would."""
        if self.alias:
            return self.alias
        return self.host if self.port == 22 else f"[{self.host}]:{self.port}"


class Done(NamedTuple):
    """What a command on the switch said."""

    status: int
    out: str
    err: str


class Connection:
    """An open SSH connection."""

    def __init__(self, way: Way) -> None:
        self.way = way
        self._pipe: _Pipe | None = None
        self._client = paramiko.SSHClient()

    def open(self) -> None:
        """Connect and log in; ConnectionException with one sentence when that cannot be."""
        try:
            self._open()
        except BaseException:
            self.close()
            raise

    def _open(self) -> None:
        way = self.way
        self._trust()
        try:
            self._client.connect(
                way.known_as if way.alias else way.host,
                port=22 if way.alias else way.port,
                username=way.user,
                password=way.password or None,
                key_filename=way.key_file,
                look_for_keys=way.key_file is None and not way.password,
                allow_agent=False,
                timeout=way.timeout,
                banner_timeout=way.timeout,
                auth_timeout=way.timeout,
                channel_timeout=way.timeout,
                sock=self._socket(),
            )
        except paramiko.BadHostKeyException as error:
            raise ConnectionException(
                f"{self._name}: its host key is not the one that {way.known_hosts} has for "
                f"{error.hostname}: somebody else may be answering, and was told nothing"
            ) from error
        except paramiko.AuthenticationException as error:
            raise ConnectAuthError(f"{self._name}: the switch refuses {way.user}") from error
        except (paramiko.SSHException, OSError, EOFError) as error:
            raise ConnectionException(self._why(error)) from error

    @property
    def _name(self) -> str:
        return self.way.alias or self.way.host

    def _why(self, error: Exception) -> str:
        words = str(error) or "it ended before SSH began"
        if "not found in known_hosts" in words:
            words = f"its host key is not known: {self.way.known_hosts or 'known_hosts'} has none"
        elif self._pipe is not None and (said := self._pipe.said()):
            words = said
        return f"{self._name}: no SSH connection: {words}"

    def _trust(self) -> None:
        way = self.way
        if way.insecure:
            self._client.set_missing_host_key_policy(_Anyone())
            return
        self._client.set_missing_host_key_policy(paramiko.RejectPolicy())
        try:
            if way.known_hosts is None:
                self._client.load_system_host_keys()
            else:
                self._client.load_host_keys(way.known_hosts)
        except OSError as error:
            raise ConnectionException(
                f"{self._name}: {way.known_hosts}: {error.strerror}: no host key is known"
            ) from error

    def _socket(self) -> socket.socket | None:
        """Return what carries the bytes; None where paramiko makes it itself."""
        way = self.way
        if way.proxy_command is not None:
            self._pipe = _Pipe(way.proxy_command, way.timeout)
            return self._pipe.end
        if way.alias:
            return socket.create_connection((way.host, way.port), way.timeout)
        return None

    def close(self) -> None:
        """Disconnect."""
        self._client.close()
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None

    @property
    def alive(self) -> bool:
        """Tell whether it is open."""
        transport = self._client.get_transport()
        return transport is not None and transport.is_active()

    def run(self, command: str, text: str, timeout: float) -> Done:
        """Run a command, given a text on its standard input, to its end."""
        transport = self._client.get_transport()
        if transport is None or not transport.is_active():
            raise ConnectionClosedException(f"{self._name}: the connection is closed")
        try:
            with contextlib.closing(transport.open_session(timeout=self.way.timeout)) as channel:
                channel.exec_command(command)
                return _spoken(channel, text.encode(), timeout)
        except TimeoutError as error:
            raise CommandTimeoutException(
                f"{self._name}: no answer within {timeout:g} s"
            ) from error
        except (paramiko.SSHException, OSError, EOFError) as error:
            raise ConnectionClosedException(
                f"{self._name}: the connection broke: {str(error) or 'it ended'}"
            ) from error


def _spoken(channel: paramiko.Channel, data: bytes, timeout: float) -> Done:
    """Send all and read all, in whatever order the other side wants it."""
    end, view = time.monotonic() + timeout, memoryview(data)
    out, err = bytearray(), bytearray()
    while not (channel.exit_status_ready() and channel.eof_received):
        if time.monotonic() > end:
            raise TimeoutError
        moved = _drained(channel, out, err)
        if view and channel.send_ready():
            view = view[channel.send(bytes(view[:_CHUNK])) :]
            if not view:
                channel.shutdown_write()
            moved = True
        if channel.closed and not moved:
            break
        if not moved:
            time.sleep(_PAUSE)
    _drained(channel, out, err)
    status = channel.recv_exit_status() if channel.exit_status_ready() else _NONE
    if status == _NONE:  # paramiko says so of a channel that was closed without one
        raise EOFError("it ended before the answer")
    return Done(status, out.decode(errors="replace"), err.decode(errors="replace"))


def _drained(channel: paramiko.Channel, out: bytearray, err: bytearray) -> bool:
    moved = False
    while channel.recv_ready():
        out += channel.recv(_CHUNK)
        moved = True
    while channel.recv_stderr_ready():
        err += channel.recv_stderr(_CHUNK)
        moved = True
    return moved


class _Anyone(paramiko.MissingHostKeyPolicy):
    """Whoever answers is believed: only where `insecure` was asked for."""

    def missing_host_key(self, client: Any, hostname: str, key: Any) -> None:
        """Believe it."""


class _Pipe:
    """A ProxyCommand: a program that carries the bytes, at the other end of a real socket.

    paramiko.ProxyCommand cannot be waited on, and leaves the program behind as a zombie.
    """

    def __init__(self, command: str, timeout: float) -> None:
        self.end, far = socket.socketpair()
        self.end.settimeout(timeout)
        self._words = tempfile.TemporaryFile()  # noqa: SIM115 - close() does
        try:
            self._process = subprocess.Popen(  # noqa: S603 - what the operator wrote
                shlex.split(command), stdin=far.fileno(), stdout=far.fileno(), stderr=self._words
            )
        except OSError as error:
            self.end.close()
            self._words.close()
            raise ConnectionException(f"{command!r}: {error.strerror}") from error
        finally:
            far.close()

    def said(self) -> str:
        """Return the last line that the program complained of."""
        self._words.seek(0)
        lines = self._words.read().decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else ""

    def close(self) -> None:
        """End it."""
        self.end.close()
        self._process.terminate()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._words.close()
