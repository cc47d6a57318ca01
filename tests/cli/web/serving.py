"""Runs `fabricgen serve` as a process, and asks it over HTTP."""

import http.client
import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.cli.calling import ROOT

LONG = 120
"""Seconds until a server that answers nothing has failed. No test waits for them."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer of a request."""

    status: int
    headers: http.client.HTTPMessage
    body: bytes

    @property
    def data(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class Served:
    """A running server."""

    line: str
    port: int
    process: "subprocess.Popen[str]"

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def ask(
        self, path: str, headers: Mapping[str, str] | None = None, method: str = "GET"
    ) -> Reply:
        """Send one request. The path is sent as it is."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONG)
        try:
            connection.request(method, path, headers=dict(headers or {}))
            answer = connection.getresponse()
            return Reply(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    @contextmanager
    def numbers(self, headers: Mapping[str, str] | None = None) -> Iterator[Iterator[int]]:
        """Open the event stream and yield the numbers of generations."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONG)
        try:
            connection.request("GET", "/events", headers=dict(headers or {}))
            answer = connection.getresponse()
            assert answer.status == 200
            yield (
                int(line.removeprefix(b"data: "))
                for line in iter(answer.readline, b"")
                if line.startswith(b"data: ")
            )
        finally:
            connection.close()

    def end(self, sent: int = signal.SIGTERM) -> tuple[int, str, str]:
        """End the server by a signal, and return its exit code and outputs."""
        self.process.send_signal(sent)
        out, err = self.process.communicate(timeout=LONG)
        return self.process.returncode, out, err


def copy_of(name: str, folder: Path) -> Path:
    """Return a copy of an example site."""
    return Path(shutil.copytree(ROOT / "intent" / name, folder / name))


@contextmanager
def served(site: Path, *options: str) -> Iterator[Served]:
    """Serve a site until the end of the block."""
    process = subprocess.Popen(
        [sys.executable, "-m", "fabricgen", "serve", str(site), "--port", "0", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )
    try:
        assert process.stdout is not None
        ready, _, _ = select.select([process.stdout], [], [], LONG)
        line = process.stdout.readline() if ready else ""
        found = re.search(r"http://[^/]*:(\d+)/", line)
        assert found, process.communicate()[1]
        yield Served(line, int(found[1]), process)
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()
