"""A real PostgreSQL for the tests: Debian's, installed or unpacked, on a socket of its own.

`python -m tests.deploy.journal.postgres` unpacks Debian's package where none is installed; nothing
is installed and no service starts.
"""

import itertools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.conftest import NO_POSTGRESQL

from fabricgen.operate.lab.client import LabFailure
from fabricgen.operate.lab.tools import Tools, unpack

NOBODY = 65534
"""PostgreSQL refuses to run as root: then it runs as the user that owns nothing."""
PATIENCE = 60


class NotHad(Exception):  # noqa: N818 - why a test is skipped
    """No PostgreSQL can be started here."""


def tools() -> Tools:
    """Return where the package is unpacked: where nobody may read it, too, when root runs this."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Tools(Path("/var/cache" if os.getuid() == 0 else cache) / "fabricgen" / "postgresql")


def programs() -> Path | None:
    """Return the folder of the newest server's programs."""
    roots = [root for root in (Path("/"), tools().root) if root is not None]
    found = [each for root in roots for each in root.glob("usr/lib/postgresql/*/bin/postgres")]
    newest = max(found, key=lambda path: int(path.parent.parent.name), default=None)
    return newest and newest.parent


class Server:
    """A server with a data folder of its own, gone with the process that started it."""

    def __init__(self) -> None:
        """Make the folder and start; NotHad when that cannot be done here."""
        bins = programs()
        if bins is None:
            raise NotHad(f"{NO_POSTGRESQL}: Debian's postgresql is neither installed nor unpacked")
        self._bins, self._count = bins, itertools.count()
        self.folder = Path(tempfile.mkdtemp(prefix="fgpg"))
        if os.getuid() == 0:
            os.chown(self.folder, NOBODY, NOBODY)
        words = ["-U", "fabricgen", "-A", "trust", "-E", "UTF8", "--locale", "C", "--no-sync"]
        made = self._run("initdb", "-D", str(self.folder / "data"), *words)
        if made.wait(PATIENCE):
            raise NotHad(f"{NO_POSTGRESQL}: initdb: {self._said('initdb')}")
        options = {"listen_addresses": "", "unix_socket_directories": self.folder, "fsync": "off"}
        switches = [word for key, value in options.items() for word in ("-c", f"{key}={value}")]
        self._server = self._run("postgres", "-D", str(self.folder / "data"), *switches)
        self._wait()

    def _run(self, program: str, *words: str) -> subprocess.Popen[str]:
        """Start a program that ends with us, not as root."""
        drop = ["--reuid", str(NOBODY), "--regid", str(NOBODY), "--clear-groups"]
        own = [] if os.getuid() else drop
        root = self._bins.parents[4]
        found = [str(path) for path in (root / "usr/lib").glob("*-linux-gnu*")] if root.name else []
        with (self.folder / f"log.{program}").open("w") as log:
            return subprocess.Popen(
                ["setpriv", "--pdeathsig", "INT", *own, self._bins / program, *words],
                env=os.environ
                | {"LC_ALL": "C"}
                | ({"LD_LIBRARY_PATH": ":".join(found)} if found else {}),
                cwd="/",
                text=True,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def _said(self, program: str) -> str:
        return (self.folder / f"log.{program}").read_text().strip()[-300:]

    def _wait(self) -> None:
        end = time.monotonic() + PATIENCE
        while "ready to accept connections" not in (log := self._said("postgres")):
            if self._server.poll() is not None or time.monotonic() > end:
                self.stop()
                raise NotHad(f"{NO_POSTGRESQL}: postgres: {log}")
            time.sleep(0.02)

    def _told(self, words: str) -> None:
        import psycopg  # noqa: PLC0415 - only where there is a server

        with psycopg.connect(host=str(self.folder), user="fabricgen", dbname="postgres") as line:
            line.execute(words.encode())

    def fresh(self) -> str:
        """Return the URL of an empty schema."""
        schema = f"t{next(self._count)}"
        self._told(f"CREATE SCHEMA {schema}")
        return (
            f"postgresql://fabricgen@/postgres?host={self.folder}&options=-csearch_path%3D{schema}"
        )

    def cut(self) -> None:
        """Cut every connection to it."""
        self._told(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = 'fabricgen'"
        )

    def stop(self) -> None:
        """End it: SIGINT is PostgreSQL's fast shutdown."""
        if self._server.poll() is None:
            self._server.send_signal(signal.SIGINT)
            self._server.wait(PATIENCE)
        shutil.rmtree(self.folder, ignore_errors=True)


def main() -> int:
    """Unpack the package unless there is a server."""
    if programs() is None:
        try:
            unpack(tools(), ["postgresql"])
        except (LabFailure, OSError) as failure:
            sys.stderr.write(f"{failure}\n")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
