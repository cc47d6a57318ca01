"""Run the servers that a fresh switch needs on the management network.

These are Kea with the exported reservations, and a web server with the other files.
"""

import shutil
import subprocess
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from fabricgen.operate.lab.engine.world import ENVIRONMENT, ROOT, LabError

CONFIGURATION = "kea-dhcp4.json"
_OWN = "run/kea"
_PLACES = {"KEA_LOCKFILE_DIR": f"/{_OWN}", "KEA_PIDFILE_DIR": f"/{_OWN}"}
"""Folders of Kea 2.2 (Administrator Reference Manual, "Starting and Stopping"); its leases are in
/var/lib/kea.
"""


def serve(folder: Path, address: str) -> None:
    """Start both servers at the address of the lab; they end with its machine."""
    pages = partial(SimpleHTTPRequestHandler, directory=str(folder))
    server = ThreadingHTTPServer((address, 80), pages)
    Thread(target=server.serve_forever, daemon=True).start()
    root = ROOT / "hosts/root"
    for place in (_OWN, "var/lib/kea"):
        (root / place).mkdir(parents=True, exist_ok=True)
    shutil.copy(folder / CONFIGURATION, root / _OWN)
    words = ("chroot", str(root), "/usr/sbin/kea-dhcp4")
    checked = subprocess.run(  # noqa: S603 - a command of the lab
        (*words, "-t", f"/{_OWN}/{CONFIGURATION}"),
        capture_output=True,
        text=True,
        check=False,
        env=ENVIRONMENT | _PLACES,
    )
    if checked.returncode:
        raise LabError(f"Kea rejects its file: {(checked.stderr or checked.stdout).strip()}")
    subprocess.Popen(  # noqa: S603 - a command of the lab
        (*words, "-c", f"/{_OWN}/{CONFIGURATION}"),
        stdin=subprocess.DEVNULL,
        env=ENVIRONMENT | _PLACES,
    )
