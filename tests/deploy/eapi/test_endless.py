"""Switches that never stop answering: they are given up, with a sentence, at a few MiB."""

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from socket import create_server

import pytest
from napalm.base.exceptions import ConnectionException

from fabricgen.nos.eos.driver import answer
from fabricgen.nos.eos.driver.eapi import Eapi

OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
ENDLESS = {
    "body": (OK + b"\r\n", b"[" * 65536),
    "body of an announced length": (OK + b"Content-Length: 999999999999999\r\n\r\n", b"[" * 65536),
    "chunk": (OK + b"Transfer-Encoding: chunked\r\n\r\nffffffffffff\r\n", b"[" * 65536),
    "chunks": (OK + b"Transfer-Encoding: chunked\r\n\r\n", (b"ff\r\n" + b"[" * 255 + b"\r\n") * 99),
    "beginning": (b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 999),
}


@contextmanager
def answering(certificate: Path, first: bytes, again: bytes) -> Iterator[int]:
    """Listen on a port; answer one request with `first` and then `again` until it is cut."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)

    def serve() -> None:
        with suppress(OSError):
            line, _ = listener.accept()
            with context.wrap_socket(line, server_side=True) as tls:
                tls.recv(65536)
                tls.sendall(first)
                while again:
                    tls.sendall(again)

    with create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve)
        thread.start()
        yield listener.getsockname()[1]
        thread.join(60)
        assert not thread.is_alive()


def asked(port: int) -> None:
    driver = Eapi("127.0.0.1", "push", "word", 20, {"port": port, "insecure": True})
    driver.open()


@pytest.mark.parametrize("kind", ENDLESS)
def test_an_endless_answer_is_given_up(
    kind: str, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer, "MOST", 1 << 20)
    with (
        answering(certificate, *ENDLESS[kind]) as port,
        pytest.raises(ConnectionException, match="longer than 1 MiB"),
    ):
        asked(port)


def test_an_answer_that_takes_too_long_is_given_up(
    certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer, "_PATIENCE", 1e-9)
    with (
        answering(certificate, OK + b"\r\n", b"[") as port,
        pytest.raises(ConnectionException, match="did not end in time"),
    ):
        asked(port)


@pytest.mark.parametrize("body", [b"[" * 100_000, b"{}", b"[]", b"null", b'{"result": 5}'])
def test_an_answer_of_another_shape_is_an_error(certificate: Path, body: bytes) -> None:
    with (
        answering(certificate, OK + b"Connection: close\r\n\r\n" + body, b"") as port,
        pytest.raises(ConnectionException),
    ):
        asked(port)


def test_an_answer_that_breaks_off_is_an_error(certificate: Path) -> None:
    head = OK + b"Content-Length: 50\r\nConnection: close\r\n\r\n"
    with (
        answering(certificate, head + b'{"result": []}', b"") as port,
        pytest.raises(ConnectionException),
    ):
        asked(port)
