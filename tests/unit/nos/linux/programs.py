"""The programs of a Linux switch, which only note that they were called."""

import json
from collections.abc import Sequence

from fabricgen.nos.shared.onswitch.commands import Done

RELOAD = "python3 /usr/lib/frr/frr-reload.py --reload --stdout --log-level warning"
TEST = "python3 /usr/lib/frr/frr-reload.py --test --stdout --log-level warning"


RESTART_FRR = (
    "sh -c /usr/lib/frr/watchfrr.sh restart all > /run/frr/restart.log 2>&1; done=$?; "
    "cat /run/frr/restart.log >&2; exit $done"
)


class Programs:
    """answers: how the programs whose words begin so end; the others do, with nothing to say."""

    def __init__(self) -> None:
        self.called: list[str] = []
        self.answers: dict[str, Done] = {"ip -j": Done(0, "[]", "")}

    def run(self, words: Sequence[str], *_: object, **__: object) -> Done:
        called = " ".join(words)
        self.called.append(called)
        fits = (done for start, done in self.answers.items() if called.startswith(start))
        return next(fits, Done(0, "", ""))

    def fail(self, start: str, why: str = "broken") -> None:
        self.answers = {start: Done(1, "", why), **self.answers}

    def devices(self, *kinds: tuple[str, str]) -> None:
        """Let these devices be there: names and kinds."""
        links = [{"ifname": name, "linkinfo": {"info_kind": kind}} for name, kind in kinds]
        self.answers["ip -j"] = Done(0, json.dumps([{"ifname": "lo"}, *links]), "")

    @property
    def changing(self) -> list[str]:
        """The calls that change something."""
        looks = ("ip -j", "ifquery", "vtysh", TEST)
        return [called for called in self.called if not called.startswith(looks)]
