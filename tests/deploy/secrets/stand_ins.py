"""Stand-ins for sops and Vault: they answer as the real ones do, and are not the real ones.

The sops here is a script with sops's command line and exit codes, over files whose values are in
base64; Debian has no sops to test with. The Vault here speaks the HTTP of KV version 2 to the real
hvac. Both quote values when they fail, as a careless program would.
"""

import base64
import json
import sys
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

TOKEN = "hvs.stand-in"  # noqa: S105 - opens nothing
_SOPS = """#!{python}
import base64, json, os, pathlib, re, sys
with open({log!r}, "a") as log:
    log.write(json.dumps(sys.argv[1:]) + "\\n")
decrypt, extract, tree, path = sys.argv[1:]
assert (decrypt, extract) == ("-d", "--extract")
if not os.path.exists(path):
    sys.exit(100)
held = json.loads(pathlib.Path(path).read_text())
canary = base64.b64decode(held["canary"]).decode()
if "SOPS_AGE_KEY_FILE" not in os.environ:
    sys.stderr.write(f"no key for {{canary}}")
    sys.exit(128)
for name, index in re.findall(r'\\["([^"]+)"\\]|\\[([0-9]+)\\]', tree):
    try:
        held = held[name] if name else held[int(index)]
    except (KeyError, IndexError):
        sys.stderr.write(f"no {{tree}} beside {{canary}}")
        sys.exit(91)
sys.stdout.write(base64.b64decode(held).decode())
"""


def base64_of(value: str) -> str:
    """Spell a value as the stand-in for sops keeps it."""
    return base64.b64encode(value.encode()).decode()


def put_sops(folder: Path) -> Path:
    """Put the stand-in into a folder for the PATH; return where it notes its arguments."""
    log = folder / "sops.log"
    program = folder / "sops"
    program.write_text(_SOPS.format(python=sys.executable, log=str(log)))
    program.chmod(0o755)
    return log


class Vault:
    """A stand-in on loopback. answers: status and JSON by path, for who shows the token."""

    def __init__(self, answers: Mapping[str, tuple[int, object]]) -> None:
        """Start it."""

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                status, body = answers.get(self.path, (404, {"errors": []}))
                if self.headers.get("X-Vault-Token") != TOKEN:
                    status, body = 403, {"errors": ["permission denied", str(answers)]}
                said = body.encode() if isinstance(body, str) else json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(said)))
                self.end_headers()
                self.wfile.write(said)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    def stop(self) -> None:
        """End it."""
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def kv2(**values: object) -> tuple[int, object]:
    """Answer as a KV version 2 engine does when it is read."""
    return 200, {"data": {"data": values, "metadata": {"version": 1, "deletion_time": ""}}}
