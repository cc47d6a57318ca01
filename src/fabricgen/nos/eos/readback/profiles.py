"""Read trust, pause, queues and marking from the lines of an EOS QoS profile."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from fabricgen.model.fabric.port_qos import Marks, Serving

# Queue 7 is strict and reserved for control traffic, and no profile can change that (EOS 4.36 QoS
# chapter, quoted second-hand).
_OWN = {7: Serving(strict=True, share=None)}
_UNITS = {"bytes": 1, "kbytes": 1000, "mbytes": 1_000_000}
_QUEUE = re.compile(r"(\S*tx-queue) (\d)")
_NO_DROP = re.compile(r"priority-flow-control priority (\d) no-drop")
_SHARE = re.compile(r"bandwidth percent (\d+)")
_ECN = re.compile(
    r"random-detect ecn minimum-threshold (\d+) (\w+) maximum-threshold (\d+) (\w+) "
    r"max-mark-probability (\d+)(?: weight (\d+))?"
)
_DEEP = 6  # columns of a line inside a queue


@dataclass(slots=True)
class Queue:
    """A transmit queue while its lines are read."""

    strict: bool | None = None
    share: int | None = None


@dataclass(slots=True, kw_only=True)
class Profile:
    """A QoS profile; a port without a profile has an empty one."""

    trust: str | None = None
    pfc: bool = False
    watchdog: bool = False
    no_drop: set[int] = field(default_factory=set)
    queues: dict[int, Queue] = field(default_factory=dict)
    marks: dict[int, Marks] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)

    def served(self) -> Mapping[int, Serving]:
        """Return the scheduling of each queue that the profile configures."""
        chosen = {
            number: Serving(queue.strict, queue.share)
            for number, queue in self.queues.items()
            if queue.strict is not None
        }
        return {**chosen, **_OWN}


def read_profile(below: Iterable[str], queue_word: str) -> Profile:
    """Read a profile. `queue_word` is this model's sub-mode of queues."""
    profile, inside = Profile(), None
    for line in below:
        text = line.strip()
        if text == "!":
            continue
        if match := _QUEUE.fullmatch(text):
            inside = int(match[2])
            known = inside in profile.queues or inside in _OWN or match[1] != queue_word
            profile.queues.setdefault(inside, Queue())
            understood = not known
        elif line.startswith(" " * _DEEP) and inside is not None:
            understood = _queue_line(profile, inside, text, queue_word)
        else:
            understood = _port_line(profile, text)
        if not understood:
            profile.faults.append(f"EOS line of unknown meaning in a QoS profile: {text}")
    return profile


def _port_line(profile: Profile, text: str) -> bool:
    if match := _NO_DROP.fullmatch(text):
        profile.no_drop.add(int(match[1]))
    elif text.startswith("qos trust ") and profile.trust is None:
        profile.trust = text.removeprefix("qos trust ")
    elif text == "priority-flow-control on":
        profile.pfc = True
    elif text == "priority-flow-control pause watchdog":
        profile.watchdog = True
    else:
        return False
    return True


def _queue_line(profile: Profile, number: int, text: str, queue_word: str) -> bool:
    queue = profile.queues[number]
    if text in ("priority strict", "no priority") and queue.strict is None:
        queue.strict = text == "priority strict"
    elif (match := _SHARE.fullmatch(text)) and queue.share is None:
        queue.share = int(match[1])
    elif (match := _ECN.fullmatch(text)) and number not in profile.marks:
        return _marking(profile, number, match, weighted=queue_word.startswith("uc-"))
    else:
        return False
    return True


def _marking(profile: Profile, number: int, match: re.Match[str], *, weighted: bool) -> bool:
    """Read marking points, which use the current queue length without an average."""
    low, high = _UNITS.get(match[2]), _UNITS.get(match[4])
    if low is None or high is None or match[6] != ("0" if weighted else None):
        return False
    profile.marks[number] = Marks(int(match[1]) * low, int(match[3]) * high, int(match[5]))
    return True
