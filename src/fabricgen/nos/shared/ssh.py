"""Connect to one switch by SSH, refuse unknown host keys and open one channel per command."""

import contextlib
import shlex
import socket
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, Self

import paramiko
from napalm.base.exceptions import (
    CommandErrorException,
    CommandTimeoutException,
    ConnectAuthError,
    ConnectionClosedException,
    ConnectionException,
    ConnectTimeoutError,
)

from fabricgen.core.record import record

MOST = 64 << 20
"""Maximum bytes of output of one command. More output ends the connection."""
_ALIVE = 15  # seconds between two keep-alive messages on a silent connection
_CHUNK = 32768
_PAUSE = 0.02
_NONE = -1


@record(kw_only=True)
class Way:
    """Address and credentials of a switch.

    Attributes:
        alias: The name of its key in known_hosts, for any port.
        known_hosts: The file of host keys. Without it, the files of this user.
        insecure: Any host key is accepted.
    """

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
    ) -> Self:
        """Read NAPALM's optional_args. Options of other drivers are ignored."""
        return cls(
            host=host,
            user=user,
            password=password,
            timeout=timeout,
            port=int(options.get("port") or 22),
            alias=options.get("host_key_alias") or "",
            key_file=options.get("key_file"),
            known_hosts=options.get("known_hosts"),
            proxy_command=options.get("proxy_command"),
            insecure=bool(options.get("insecure", False)),
        )

    @property
    def name(self) -> str:
        """Name of the switch in errors."""
        return self.alias or self.host

    @property
    def known_as(self) -> tuple[str, int]:
        """Host and port under which paramiko looks for the host key, as OpenSSH does."""
        return (self.alias, 22) if self.alias else (self.host, self.port)

    @property
    def proxy(self) -> list[str] | None:
        """The words of the ProxyCommand, with OpenSSH's %h, %p and %r replaced."""
        if self.proxy_command is None:
            return None
        return [
            word.replace("%h", self.host).replace("%p", str(self.port)).replace("%r", self.user)
            for word in shlex.split(self.proxy_command)
        ]


class Done(NamedTuple):
    """Result of a command on the switch."""

    status: int
    out: str
    err: str

    @property
    def reason(self) -> str:
        """The last line of the error output, or of the output."""
        lines = (self.err.strip() or self.out.strip()).splitlines()
        return lines[-1] if lines else f"exit status {self.status}"


class Connection:
    def __init__(self, way: Way) -> None:
        self.way = way
        self._pipe: _Pipe | None = None
        self._client = paramiko.SSHClient()

    def open(self) -> None:
        """Connect and log in; ConnectionException with one sentence if that fails."""
        try:
            self._trust()
            self._connect()
        except BaseException:
            self.close()
            raise

    def _trust(self) -> None:
        """Load the known host keys; none with `insecure`, because a rebuilt switch has a new key.

        A named file that cannot be read is an error; the user's file may be missing.
        """
        way = self.way
        if way.insecure:
            self._client.set_missing_host_key_policy(_Anyone())
            return
        self._client.set_missing_host_key_policy(paramiko.RejectPolicy())
        try:
            if way.known_hosts is None:
                self._client.load_system_host_keys()
            else:
                self._client.load_host_keys(str(Path(way.known_hosts).expanduser()))
        except OSError as error:
            raise ConnectionException(
                f"{way.name}: cannot read host keys from {way.known_hosts}: {error.strerror}"
            ) from error

    def _connect(self) -> None:
        way = self.way
        host, port = way.known_as
        try:
            self._client.connect(
                host,
                port=port,
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
            self._open_transport().set_keepalive(_ALIVE)
        except paramiko.BadHostKeyException as error:
            raise ConnectionException(
                f"{way.name}: host key of {error.hostname} differs from {way.known_hosts}; nothing "
                "was sent; check with `fabricgen trust`"
            ) from error
        except paramiko.AuthenticationException as error:
            if _is_late(error):
                raise ConnectTimeoutError(self._why(error)) from error
            raise ConnectAuthError(f"{way.name}: the switch refuses user {way.user}") from error
        except (paramiko.SSHException, OSError, EOFError) as error:
            kind = ConnectTimeoutError if _is_late(error) else ConnectionException
            raise kind(self._why(error)) from error

    def _why(self, error: Exception) -> str:
        why = str(error) or "the connection ended before SSH began"
        if "not found in known_hosts" in why:
            why = f"unknown host key: not in {self.way.known_hosts or 'known_hosts'}"
        elif self._pipe is not None and (complaint := self._pipe.complaint()):
            why = complaint
        return f"{self.way.name}: no SSH connection ({why})"

    def _socket(self) -> socket.socket:
        """Return the transport socket. Host and port only select the host key."""
        way = self.way
        if way.proxy is None:
            return socket.create_connection((way.host, way.port), way.timeout)
        self._pipe = _Pipe(way.proxy, way.timeout)
        return self._pipe.end

    def close(self) -> None:
        """Disconnect; detached processes on the switch continue."""
        self._client.close()
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None

    @property
    def alive(self) -> bool:
        transport = self._client.get_transport()
        return transport is not None and transport.is_active()

    def _open_transport(self) -> paramiko.Transport:
        transport = self._client.get_transport()
        if transport is None or not transport.is_active():
            raise ConnectionClosedException(f"{self.way.name}: the connection is closed")
        return transport

    def run(self, command: str, text: str, timeout: float) -> Done:
        name, transport = self.way.name, self._open_transport()
        try:
            with contextlib.closing(transport.open_session(timeout=self.way.timeout)) as channel:
                channel.exec_command(command)
                return _spoken(channel, text.encode(), timeout)
        except TimeoutError as error:
            raise CommandTimeoutException(f"{name}: no answer within {timeout:g} s") from error
        except OverflowError as error:
            raise CommandErrorException(f"{name}: {error}") from error
        except (paramiko.SSHException, OSError, EOFError) as error:
            if _is_late(error):
                raise CommandTimeoutException(f"{name}: no session within {timeout:g} s") from error
            raise ConnectionClosedException(
                f"{name}: connection lost: {str(error) or 'it ended'}"
            ) from error


def _is_late(error: Exception) -> bool:
    """Return whether the remote side did not answer in time.

    paramiko 5.1 reports it only in the message: of the banner (transport.py, _check_banner), of a
    channel (open_channel) and of the login (auth_handler.py, wait_for_response).
    """
    said = str(error).lower()
    return isinstance(error, TimeoutError) or "timeout" in said or "protocol banner" in said


def _spoken(channel: paramiko.Channel, data: bytes, timeout: float) -> Done:
    """Send all data and read all output, in any order."""
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
    if status == _NONE:  # paramiko's status of a channel that was closed without one
        raise EOFError("it ended before the answer")
    return Done(status, out.decode(errors="replace"), err.decode(errors="replace"))


def _drained(channel: paramiko.Channel, out: bytearray, err: bytearray) -> bool:
    before = len(out) + len(err)
    while channel.recv_ready() and len(out) <= MOST:
        out += channel.recv(_CHUNK)
    while channel.recv_stderr_ready() and len(err) <= MOST:
        err += channel.recv_stderr(_CHUNK)
    if max(len(out), len(err)) > MOST:
        raise OverflowError(f"more than {MOST >> 20} MiB of output")
    return len(out) + len(err) > before


class _Anyone(paramiko.MissingHostKeyPolicy):
    """A policy that accepts any host key, only for `insecure`."""

    def missing_host_key(self, client: Any, hostname: str, key: Any) -> None:
        """Accept the key."""


class _Pipe:
    """A ProxyCommand: a program that carries the bytes, at the other end of a real socket.

    paramiko.ProxyCommand has no timeout, and leaves the program behind as a zombie.
    """

    def __init__(self, command: list[str], timeout: float) -> None:
        self.end, far = socket.socketpair()
        self.end.settimeout(timeout)
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - close() does
        try:
            self._process = subprocess.Popen(  # noqa: S603 - the operator's command
                command, stdin=far.fileno(), stdout=far.fileno(), stderr=self._complaints
            )
        except OSError as error:
            self.end.close()
            self._complaints.close()
            raise ConnectionException(f"{shlex.join(command)}: {error.strerror}") from error
        finally:
            far.close()

    def complaint(self) -> str:
        """Return the last line of the program's standard error."""
        self._complaints.seek(0)
        lines = self._complaints.read().decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else ""

    def close(self) -> None:
        self.end.close()
        self._process.terminate()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._complaints.close()
