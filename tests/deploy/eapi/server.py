"""STAND-IN for EOS, part 3: HTTPS on loopback in; eAPI's JSON-RPC, and a record of it, out."""

import base64
import json
import re
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.deploy.eapi.grammar import Refused
from tests.deploy.eapi.switch import Switch

USER, PASSWORD = "push", "Pa55-canary-word"


@dataclass
class Server:
    """A switch that listens. commands: all it was sent, in order, without `enable`."""

    switch: Switch
    port: int = 0
    commands: list[str] = field(default_factory=list)
    requests: int = 0
    # Commands at which the connection is cut before or after the switch has run the request …
    drop_before: str = r"(?!)"
    drop_after: str = r"(?!)"
    # … or after which the answer is held back until `release`; `held` says that one is.
    hold: str = r"(?!)"
    held: threading.Event = field(default_factory=threading.Event)
    release: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, request: dict[str, Any]) -> dict[str, Any] | None:
        """Run a request's commands up to the first that is refused; None cuts the connection."""
        sent = [one if isinstance(one, dict) else {"cmd": one} for one in request["params"]["cmds"]]
        words = " ; ".join(one["cmd"] for one in sent)
        if re.search(self.drop_before, words):
            return None
        with self.lock:
            self.switch.tick()
            self.commands += [one["cmd"] for one in sent if one["cmd"] != "enable"]
            self.requests += 1
            said = self._run(request, sent)
            self.switch.leave()
        if re.search(self.hold, words):
            self.held.set()
            self.release.wait(60)
        if re.search(self.drop_after, words):
            return None
        return {"jsonrpc": "2.0", "id": request["id"], **said}

    def _run(self, request: dict[str, Any], sent: list[dict[str, Any]]) -> dict[str, Any]:
        """Run commands up to the first that is refused, or all with `stopOnError: false`.

        An older release knows neither that parameter nor another unknown one.
        """
        params = request["params"]
        if self.switch.faults.old_eapi and "stopOnError" in params:
            message = "runCmds() got an unexpected keyword argument 'stopOnError'"
            return {"error": {"code": -32602, "message": message}}
        items: list[dict[str, Any]] = []
        refused = ""
        for number, one in enumerate(sent, start=1):
            try:
                said = self.switch.run(one["cmd"], one.get("input", ""))
            except Refused as error:
                items.append({"errors": [str(error)]})
                refused = refused or f"CLI command {number} of {len(sent)} '{one['cmd']}' failed"
                if params.get("stopOnError", True):
                    break
            else:
                meta = {"_meta": {"execDuration": 0.001}} if params.get("timestamps") else {}
                items.append({**said, **meta})
        if not refused:
            return {"result": items}
        message = f"{refused}: invalid command"
        return {"error": {"code": 1002, "message": message, "data": items}}


def _handler(server: Server) -> type[BaseHTTPRequestHandler]:
    wanted = "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-length"]))
            if self.headers["Authorization"] != wanted:
                self._reply(401, b"Unable to authenticate user: Bad username/password combination")
                return
            said = server.answer(json.loads(body))
            if said is not None:
                self._reply(200, json.dumps(said).encode())

        def _reply(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    return Handler


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """A client that went away is what the tests are about."""


@contextmanager
def serving(switch: Switch, certificate: Path) -> Iterator[Server]:
    """Serve a switch with the certificate and key of one PEM file."""
    server = Server(switch)
    listener = _Quiet(("127.0.0.1", 0), _handler(server))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    listener.socket = context.wrap_socket(listener.socket, server_side=True)
    server.port = listener.server_address[1]
    thread = threading.Thread(target=listener.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield server
    finally:
        server.release.set()
        listener.shutdown()
        thread.join()
        listener.server_close()
