"""Send operations to a lab's socket, for commands, tests and pushes."""

import json
import socket
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fabricgen.core.pace import Pace

_AT_ONCE = 4  # simultaneous switches; each mostly waits for vtysh
_PATIENCE = 120  # seconds of one snapshot; 3 are usual, and a machine at load 20 takes 60
_LATE = 124  # exit status of timeout(1) after a timeout


class LabFailure(Exception):  # noqa: N818 - shown to the user
    """A failed lab operation, in one sentence."""


class LabGone(LabFailure):
    """The lab has ended."""


class LabRefusal(LabFailure):
    """A switch refuses a line of its rendered files."""


@dataclass(frozen=True, slots=True)
class Result:
    """Result of a command on a switch."""

    status: int
    stdout: str
    stderr: str


@dataclass(frozen=True, slots=True)
class LabClient:
    """Sends operations to one lab; every call opens its own connection.

    Attributes:
        patience: Seconds to wait for bytes; None for no limit.
    """

    path: Path
    patience: float | None = None

    def call(
        self, op: str, report: Callable[[dict[str, Any]], None] | None = None, **request: object
    ) -> Any:
        """Run an operation.

        Args:
            op: Name of the operation.
            report: Receives intermediate messages.
            request: Arguments of the operation.

        Raises:
            LabFailure: The operation failed. It is a LabRefusal if a switch refuses its files.
        """
        with self._open(op, request) as line, line.makefile("rb") as answers:
            for answer in answers:
                reply = json.loads(answer)
                if "ok" in reply:
                    return reply["ok"]
                if "error" in reply:
                    refused = reply.get("refused")
                    raise (LabRefusal if refused else LabFailure)(reply["error"])
                if report is not None:
                    report(reply)
        raise LabGone("the lab ended before it answered")

    def execute(
        self, name: str, command: Sequence[str], text: str | None = None, seconds: int = 600
    ) -> Result:
        """Run a command on a switch or host; its status is 124 after a timeout."""
        words = list(command)
        return Result(**self.call("exec", name=name, command=words, text=text, seconds=seconds))

    def ask(self, scripts: Mapping[str, str]) -> dict[str, str]:
        """Run a shell script on each of some switches, and return the outputs.

        After many timeouts the switches are asked again, fewer at a time.
        """

        def output(name: str) -> Result:
            return self.execute(name, ("sh", "-s"), scripts[name], _PATIENCE)

        def ask(names: tuple[str, ...]) -> dict[str, Result]:
            with ThreadPoolExecutor(pace.now) as pool:
                return dict(zip(names, pool.map(output, names), strict=True))

        pace = Pace(_AT_ONCE)
        answers = pace.rounds(scripts, ask, lambda done: done.status == _LATE)
        if silent := [name for name, done in answers.items() if done.status == _LATE]:
            raise LabFailure(f"{', '.join(silent)} did not answer within {_PATIENCE} s")
        return {name: done.stdout for name, done in answers.items()}

    def connect(self, switch: str, port: int) -> socket.socket:
        """Open a TCP connection to a switch's management address."""
        line = self._open("connect", {"switch": switch, "port": port})
        greeting = bytearray()
        while not greeting.endswith(b"\n"):
            byte = line.recv(1)
            if not byte:
                break
            greeting += byte
        answer = json.loads(greeting or b'{"error": "the lab ended"}')
        if "error" in answer:
            line.close()
            raise LabFailure(f"{switch}, port {port}: {answer['error']}")
        return line

    def _open(self, op: str, request: dict[str, object]) -> socket.socket:
        line = socket.socket(socket.AF_UNIX)
        line.settimeout(self.patience)
        try:
            line.connect(str(self.path))
        except OSError as error:
            line.close()
            raise LabFailure(
                f"no lab answers at {self.path}: start it with `fabricgen lab up SITE`"
            ) from error
        line.sendall(json.dumps({"op": op, **request}).encode() + b"\n")
        return line
