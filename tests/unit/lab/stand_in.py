"""A lab that nobody booted: a socket that answers as a keeper does, and notes what it is asked."""

import json
import os
import socket
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from fabricgen.operate.lab.place import Place


class StandIn:
    """Answers each operation by what `answers` has for it: a value, or a function of the request.

    An exception's text is the lab's error. asked: every request, in order.
    """

    def __init__(self, name: str) -> None:
        self.place = Place.of(name)
        self.answers: dict[str, Any] = {}
        self.asked: list[dict[str, Any]] = []
        self._socket = socket.socket(socket.AF_UNIX)

    def listen(self) -> None:
        """Begin to answer."""
        self.place.folder.mkdir(exist_ok=True)
        self._socket.bind(str(self.place.socket))
        self._socket.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    def up(self, **facts: object) -> None:
        """Answer, and have noted how it was booted."""
        self.listen()
        noted = {"way": "uml", "limit": [], "lifted": None} | facts
        (self.place.folder / "up").write_text(json.dumps(noted))

    def close(self) -> None:
        """Answer no more."""
        with suppress(OSError):  # it may never have listened
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def _serve(self) -> None:
        while True:
            try:
                line, _ = self._socket.accept()
            except OSError:
                return
            with line, line.makefile("rwb") as stream:
                if text := stream.readline():
                    self._answer(json.loads(text), stream)

    def _answer(self, request: dict[str, Any], stream: Any) -> None:
        self.asked.append(request)
        answer: Any = self.answers.get(request["op"])
        try:
            said = {"ok": answer(request) if callable(answer) else answer}
        except ValueError as error:
            said = {"error": str(error)}
        stream.write(json.dumps(said).encode() + b"\n")
        stream.flush()


@contextmanager
def labs(monkeypatch: Any) -> Iterator[Callable[[str], StandIn]]:
    """Yield what makes labs by name, in a folder short enough for sockets."""
    made: list[StandIn] = []

    def lab(name: str) -> StandIn:
        made.append(StandIn(name))
        return made[-1]

    with tempfile.TemporaryDirectory(prefix="labs-", dir="/tmp") as folder:
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        (Path(folder) / f"fabricgen-{os.getuid()}").mkdir(mode=0o700)
        yield lab
        for each in made:
            each.close()
