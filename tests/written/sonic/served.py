"""A real Redis with written databases, and the answers of a look at it.

Scripts in Redis run over a socket, and shell commands run in a shell whose programs print written
texts. test_over_ssh.py reads such a switch over SSH, with redis-cli and all programs.
"""

import contextlib
import shlex
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import NOT_RUN
from tests.deploy.sonic.standin.redis import Redis
from tests.deploy.sonic.standin.switch import libraries, tool
from tests.written.sonic import commands, databases
from tests.written.sonic.databases import Databases
from tests.written.sonic.site import Switch, expected, rendered

from fabricgen.nos.questions import Answer, Question
from fabricgen.nos.shared.documents import SEPARATOR
from fabricgen.nos.show import Observed
from fabricgen.nos.sonic.show.reader import SONIC
from fabricgen.operate.lab.tools import Tools
from fabricgen.prove.differences import Difference, compare
from fabricgen.prove.runs import Expected

_SHELL = """\
say() { if [ -e "$1" ]; then command cat "$1"; else echo "$2 is not running"; return 1; fi; }
docker() { say "$DIR/docker $*" "$*"; }
ip() { say "$DIR/ip $*" "$*"; }
bridge() { say "$DIR/bridge $*" "$*"; }
chronyc() { say "$DIR/chronyc $*" "$*"; }
ntpq() { say "$DIR/ntpq $*" "$*"; }
sonic-cfggen() { say "$DIR/sonic-cfggen $*" "$*"; }
cat() { say "$DIR/$(echo "$1" | tr / _)" "$1"; }
cmp() { command cmp -s - "$DIR/$(echo "$3" | tr / _)"; }
[ -e "$DIR/chronyc -c -n tracking" ] || unset -f chronyc
"""


@dataclass
class Written:
    """A written switch, which a test changes before it is read."""

    switch: Switch
    expected: Expected
    data: Databases
    texts: dict[str, str]
    documents: dict[str, Any] = field(default_factory=dict)

    def copy(self) -> "Written":
        return Written(
            self.switch,
            self.expected,
            Databases(deepcopy(self.data.of), dict(self.data.oids)),
            dict(self.texts),
            deepcopy(self.documents),
        )

    def row(self, database: int, key: str) -> dict[str, str]:
        """Return a hash that exists."""
        return self.data.of[database][key]

    def counters(self, name: str) -> dict[str, str]:
        """Return the counters of a named object."""
        return self.data.of[databases.COUNTERS][f"COUNTERS:{self.data.oids[name]}"]

    def asic(self, kind: str, name: str) -> dict[str, str]:
        """Return an object of the ASIC."""
        return self.data.of[databases.ASIC][f"{databases.SAI}{kind}:{self.data.oids[name]}"]

    def vtysh(self, line: str) -> Any:
        """Return a document of vtysh, to be changed."""
        return self.documents[line]

    def printed(self) -> dict[str, str]:
        """Return what its programs print."""
        asked = " ".join(f"-c {line}" for line in commands.VTYSH)
        own = {f"docker exec bgp vtysh -E {asked}": commands.told("sonic", self.documents)}
        return {**self.texts, **own}


def written(name: str, release: str, *, dynamic: bool = False) -> Written:
    """Return a right switch of a release."""
    switch = rendered(release, dynamic=dynamic)[name]
    wanted = expected(release, dynamic=dynamic)[name]
    computed = {
        key[1]: int(str(own["bytes"]))
        for key, own in wanted.facts.items()
        if key[0] == "headroom" and "bytes" in own
    }
    data = databases.written(switch, computed if dynamic else None)
    return Written(switch, wanted, data, commands.written(switch), commands.vtysh(switch))


@dataclass
class Served:
    """A running Redis, which holds one written switch at a time."""

    redis: Redis
    home: Path
    _held: Written | None = None

    def fill(self, switch: Written) -> None:
        """Store the databases; only what differs from the last ones is sent."""
        before = self._held.data.of if self._held is not None else {}
        for number, keys in switch.data.of.items():
            held = before.get(number, {})
            words: list[tuple[str, ...]] = [("SELECT", str(number))]
            words += [("DEL", key) for key in held if held[key] != keys.get(key)]
            for key, fields in keys.items():
                if fields and held.get(key) != fields:
                    flat = [word for pair in fields.items() for word in pair]
                    words.append(("HSET", key, *flat))
            self.redis.all(words)
        self._held = switch.copy()

    def answers(self, switch: Written, more: Mapping[str, str] | None = None) -> dict[str, Answer]:
        """Ask every question of a look. more: further commands, by the key of their answer."""
        further = (Question(*each) for each in (more or {}).items())
        return self.asked(switch, [*SONIC.questions(switch.expected.facts), *further])

    def asked(self, switch: Written, asked: Sequence[Question]) -> dict[str, Answer]:
        """Ask some questions."""
        self.fill(switch)
        mine = [each for each in asked if not each.line.startswith("redis-cli")]
        given = {
            each.key: self.evaluated(each) for each in asked if each.line.startswith("redis-cli")
        }
        return {**given, **self._shell(mine, switch.printed())}

    def evaluated(self, question: Question) -> Answer:
        """Run the script of a question in Redis."""
        _, _, number, verb, script, *rest = shlex.split(question.line)
        assert verb == "EVAL"
        try:
            self.redis("SELECT", number)
            text = str(self.redis("EVAL", script, *rest))
            return dict(SONIC.decode(f"{text}\n\n{SEPARATOR}one 0\n"))["one"]
        except RuntimeError as error:
            return Answer(f"(error) {error}\n", 1)

    def _shell(self, questions: list[Question], printed: Mapping[str, str]) -> dict[str, Answer]:
        with tempfile.TemporaryDirectory(dir=self.home) as folder:
            for call, text in printed.items():
                name = call.replace("/", "_") if call.startswith("/") else call
                (Path(folder) / name).write_text(text)
            done = subprocess.run(
                ["bash", "-c", _SHELL + SONIC.encode(questions)],
                env={"DIR": folder, "PATH": "/usr/bin:/bin"},
                capture_output=True,
                text=True,
                check=False,
            )
        return dict(SONIC.decode(done.stdout))

    def look(self, switch: Written) -> Observed:
        return SONIC.parse(self.answers(switch))

    def differences(self, switch: Written) -> tuple[Difference, ...]:
        return compare(switch.expected, self.look(switch))


@contextlib.contextmanager
def serving() -> Iterator[Served]:
    """Run a Redis."""
    if Tools.here().find("usr/bin/redis-server") is None:
        pytest.skip(f"{NOT_RUN}: redis-server is neither installed nor unpacked")
    with tempfile.TemporaryDirectory(prefix="redis-") as place:
        words = [tool("usr/bin/redis-server"), "--port", "0", "--save", "", "--dir", place]
        process = subprocess.Popen(
            [*words, "--unixsocket", f"{place}/s"], stdout=subprocess.DEVNULL, env=libraries()
        )
        try:
            served = Served(_connected(f"{place}/s"), Path(place))
            yield served
            served.redis.close()
        finally:
            process.kill()
            process.wait()


def _connected(path: str) -> Redis:
    for _ in range(500):
        with contextlib.suppress(OSError):
            return Redis(path)
        time.sleep(0.02)
    raise AssertionError("redis-server does not answer")
