"""A switch's address and its known host key in, a connection that runs commands out."""

from __future__ import annotations

import contextlib
import shlex
import socket
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import paramiko
from napalm.base.exceptions import (
    ConnectAuthError,
    ConnectionClosedException,
    ConnectionException,
    ConnectTimeoutError,
)

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Said:
    """How a command ended, and what it said."""

    status: int
    output: str
    errors: str

    @property
    def reason(self) -> str:
        """The last line of what it complained about, else of what it said."""
        lines = (self.errors.strip() or self.output.strip()).splitlines()
        return lines[-1] if lines else f"exit status {self.status}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """How to reach a switch. host_key_alias: the name its key is known by, whatever the port.

    insecure: take any host key. No known_hosts file: those of this user are read.
    """

    host: str
    username: str
    password: str
    timeout: float
    port: int = 22
    key_file: str | None = None
    known_hosts: str | None = None
    proxy_command: str | None = None
    host_key_alias: str | None = None
    insecure: bool = False

    @classmethod
    def of(
        cls, host: str, username: str, password: str, timeout: float, options: Mapping[str, Any]
    ) -> Way:
        """Read NAPALM's optional_args, and leave them as they are."""
        named = ("key_file", "known_hosts", "proxy_command", "host_key_alias")
        texts = {name: str(options[name]) for name in named if options.get(name)}
        port, insecure = int(options.get("port") or 22), bool(options.get("insecure", False))
        return cls(
            host=host,
            username=username,
            password=password,
            timeout=timeout,
            port=port,
            insecure=insecure,
            **texts,
        )


class Connection:
    """One SSH connection; a channel for each command."""

    def __init__(self, way: Way) -> None:
        """Connect and log in. ConnectionException when it cannot, or the host key is not known."""
        self._way = way
        self._proxy = self._proxied()
        try:
            self._transport = self._connected()
        except BaseException:
            if self._proxy is not None:
                self._proxy.close()
            raise

    def _proxied(self) -> paramiko.ProxyCommand | None:
        way = self._way
        if way.proxy_command is None:
            return None
        words = {"%h": way.host, "%p": str(way.port), "%r": way.username}
        line = way.proxy_command
        for mark, word in words.items():
            line = line.replace(mark, shlex.quote(word))
        return paramiko.ProxyCommand(line)

    def _connected(self) -> paramiko.Transport:
        way = self._way
        client = paramiko.SSHClient()
        client.set_missing_host_key_policy(_policy(way))
        try:
            _load_keys(client, way)
            # The socket is ours, so host and port only say where the key is looked up.
            client.connect(
                way.host_key_alias or way.host,
                port=22 if way.host_key_alias else way.port,
                username=way.username,
                password=way.password or None,
                key_filename=way.key_file,
                timeout=way.timeout,
                banner_timeout=way.timeout,
                auth_timeout=way.timeout,
                allow_agent=not way.key_file,
                look_for_keys=not way.key_file,
                sock=self._proxy or _socket(way),
            )
        except paramiko.BadHostKeyException as error:
            client.close()
            said = f"{way.host}: its host key is not the known one of {error.hostname}"
            raise ConnectionException(said) from None
        except paramiko.AuthenticationException as error:
            client.close()
            raise ConnectAuthError(f"{way.host}: {error}") from None
        except (paramiko.SSHException, OSError, EOFError) as error:
            client.close()
            raise ConnectionException(
                f"{way.host}: {str(error) or type(error).__name__}"
            ) from error
        transport = client.get_transport()
        assert transport is not None
        transport.set_keepalive(15)
        self._client = client  # it closes its transport when it is collected
        return transport

    def run(self, command: str, text: str = "", timeout: float | None = None) -> Said:
        """Run one command with a text as its input, and wait until it ends."""
        patience = self._way.timeout if timeout is None else timeout
        try:
            channel = self._transport.open_session(timeout=patience)
            with channel:
                channel.settimeout(patience)
                channel.exec_command(command)
                return _talk(channel, text)
        except TimeoutError as error:
            raise ConnectTimeoutError(f"{self._way.host}: no answer in {patience:g} s") from error
        except (paramiko.SSHException, OSError, EOFError) as error:
            raise ConnectionClosedException(f"{self._way.host}: {error}") from error

    @property
    def alive(self) -> bool:
        """Whether the connection still stands."""
        return self._transport.is_active()

    def close(self) -> None:
        """Disconnect; what runs detached on the switch goes on."""
        self._client.close()
        if self._proxy is not None:
            self._proxy.close()


def _socket(way: Way) -> Any:
    return socket.create_connection((way.host, way.port), timeout=way.timeout)


def _policy(way: Way) -> paramiko.MissingHostKeyPolicy:
    return paramiko.AutoAddPolicy() if way.insecure else paramiko.RejectPolicy()


def _load_keys(client: paramiko.SSHClient, way: Way) -> None:
    """Read the known keys; a named file that cannot be read is an error, the user's own may lack.

    With `insecure` none is read: the key of a rebuilt lab switch differs from the known one.
    """
    if way.insecure:
        return
    if way.known_hosts is not None:
        client.load_host_keys(str(Path(way.known_hosts).expanduser()))
    else:
        client.load_system_host_keys()


def _talk(channel: paramiko.Channel, text: str) -> Said:
    """Send the input beside reading, so that neither side waits for the other."""
    sender = Thread(target=_send, args=(channel, text.encode()), daemon=True)
    sender.start()
    with channel.makefile("rb") as output, channel.makefile_stderr("rb") as errors:
        said, complained = output.read(), errors.read()
    status = channel.recv_exit_status()  # -1 when the switch went away before it could say one
    if status < 0:
        raise EOFError("the connection ended before the command did")
    return Said(status, said.decode(errors="replace"), complained.decode(errors="replace"))


def _send(channel: paramiko.Channel, data: bytes) -> None:
    with contextlib.suppress(OSError):  # a command may end before it has read everything
        channel.sendall(data)
        channel.shutdown_write()
