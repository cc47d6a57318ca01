"""Send eAPI requests over HTTPS and limit the size and duration of each answer.

pyeapi reads the whole answer, and its timeout restarts with each byte. Without these limits an
endless answer would fill the memory of this machine.
"""

import io
import socket
import time
from http import HTTPStatus
from http.client import HTTPResponse, IncompleteRead
from typing import Any

from pyeapi.eapilib import ConnectionError as EapiUnreachable
from pyeapi.eapilib import HttpsEapiConnection

MOST = 32 << 20
"""Maximum bytes of one answer. The running-config of a switch with 512 ports is below one MiB."""
_AT_ONCE = 65536
_QUOTED = 200
_PATIENCE = 2
"""Timeouts that an answer may take: until it begins, and until it ends."""


class Ended(HttpsEapiConnection):
    """pyeapi's connection with limited answers."""

    def send(self, data: str) -> Any:
        assert self.transport is not None
        self.transport.response_class = Answer
        return super().send(data)  # type: ignore[no-untyped-call]

    def post(self, body: str) -> str:
        """Send a JSON-RPC body and return the text of the answer.

        pyeapi's `send` drops parameters that it does not know, and the answers next to a refusal.
        """
        assert self.transport is not None
        self.transport.response_class = Answer
        content = body.encode()
        headers = {
            "Content-type": "application/json-rpc",
            **dict([self._auth] if self._auth else ()),
        }
        try:
            self.transport.request("POST", "/command-api", content, headers)
            response = self.transport.getresponse()
            text: str = response.read().decode(errors="replace")
        finally:
            self.transport.close()
        if response.status == HTTPStatus.UNAUTHORIZED:
            why = f"{response.reason}. {text[:_QUOTED]}"
            raise EapiUnreachable(str(self), why)  # type: ignore[no-untyped-call]
        return text


class Answer(HTTPResponse):
    """An answer that is aborted if it is too long or takes too long."""

    def __init__(self, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self.fp = io.BufferedReader(_Bounded(self.fp.detach(), sock.gettimeout()))

    def read(self, amt: int | None = None) -> bytes:
        """Return the rest in pieces, because a switch may announce any length."""
        del amt
        whole = bytearray()
        with self:  # an aborted answer must not keep the connection open
            while piece := self.read1(_AT_ONCE):
                whole += piece
            if self.length:
                raise IncompleteRead(b"", self.length)
        return bytes(whole)


class _Bounded(io.RawIOBase):
    def __init__(self, raw: io.RawIOBase, timeout: float | None) -> None:
        self.raw, self.left = raw, MOST
        self.end = time.monotonic() + timeout * _PATIENCE if timeout else float("inf")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        if time.monotonic() > self.end:
            raise TimeoutError("the answer did not end in time")
        count = self.raw.readinto(buffer)
        self.left -= count or 0
        if self.left < 0:
            raise OSError(f"the answer is longer than {MOST >> 20} MiB")
        return count

    def close(self) -> None:
        self.raw.close()
        super().close()
