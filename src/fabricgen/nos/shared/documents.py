"""Write the shell script of questions, and split its output into the answer of each command."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, TypeVar

from fabricgen.nos.questions import Answer, Question, UnreadableError

VTYSH = (
    "show evpn vni detail json",
    "show evpn next-hops vni all json",
    "show bgp vrf all neighbors json",
    "show bgp l2vpn evpn vni json",
    "show bfd peers json",
)
"""Commands of one vtysh. With -E it prints each command before its answer, which may be empty.

vtysh stops at `bgpd is not running`. So the order is zebra, which always runs, then bgpd if there
are sessions, then bfdd if BFD watches them."""

SEPARATOR = "\x1e"
_END = re.compile(rf"\n?{SEPARATOR}(\w+) (\d+)\n")
_ASKED = re.compile(rf"(?m)^\S*# ({'|'.join(map(re.escape, VTYSH))})[ \r]*$\n?")
_ODD = (AttributeError, LookupError, OverflowError, RecursionError, TypeError, ValueError)
"""Errors of an answer with an unexpected shape. OverflowError: Python's JSON has Infinity."""
_MISSING = "the command was not run, or its output was truncated"


def script(commands: Iterable[tuple[str, str]]) -> str:
    """Return a shell script that prints each command's key and exit status after its output."""
    return "".join(f"({line}) 2>&1; printf '\\n\\036{key} %d\\n' $?\n" for key, line in commands)


def shell_request(questions: Iterable[Question]) -> str:
    """Return the shell script of questions; `answers` splits its output."""
    return script((each.key, each.line) for each in questions)


def answers(output: str) -> dict[str, Answer]:
    """Split the output by command. Answers of vtysh have the vtysh command as key."""
    parts = _END.split(output)
    given = {
        key: Answer(text, int(status))
        for text, key, status in zip(parts[::3], parts[1::3], parts[2::3], strict=False)
    }
    frr = given.pop("frr", None)
    return given if frr is None else given | _vtysh(frr)


def _vtysh(frr: Answer) -> dict[str, Answer]:
    """Split by command. A command that was not reached has the last line of vtysh."""
    parts = _ASKED.split(frr.text)
    shown = dict(zip(parts[1::2], parts[2::2], strict=True))
    last = Answer(parts[-1], frr.status or 1)
    return {line: Answer(shown[line]) if line in shown else last for line in VTYSH}


Part = TypeVar("Part")


class Look(Generic[Part]):
    """Reads the parts of an output in turn, and notes the reason for each unreadable part."""

    def __init__(self, answers: Mapping[str, Answer]) -> None:
        self._answers = answers
        self.unread: dict[Part, str] = {}

    def json(
        self, part: Part, key: str, empty: Any, read: Callable[[Any], Any] = lambda shown: shown
    ) -> Any:
        """Return the result of `read` for the JSON of a command; without JSON it reads `empty`."""
        return self.text(part, key, lambda shown: read(shown.document(empty)), read(empty))

    def text(
        self,
        part: Part,
        key: str,
        read: Callable[[Answer], Any],
        nothing: Any,
        *,
        optional: bool = False,
    ) -> Any:
        """Return the result of `read` for the answer of a command. `optional`: it may be absent."""
        if optional and key not in self._answers:
            return nothing
        return self.made(part, lambda: read(self._answer(key)), nothing)

    def optional(self, key: str) -> str:
        """Return the output of a command that may be missing; empty if it failed."""
        answer = self._answers.get(key)
        return answer.text if answer is not None and not answer.status else ""

    def _answer(self, key: str) -> Answer:
        if key not in self._answers:
            raise UnreadableError(_MISSING)
        answer = self._answers[key]
        answer.require()
        if answer.status and not answer.text.strip():
            raise UnreadableError(f"no output, exit status {answer.status}")
        return answer

    def follow(self, causes: Iterable[tuple[Part, Part]]) -> None:
        """Make parts unread whose objects come from an unread part. Pairs: cause, consequence."""
        for cause, part in causes:
            if cause in self.unread:
                self.unread.setdefault(part, self.unread[cause])

    def made(self, part: Part, make: Callable[[], Any], nothing: Any) -> Any:
        """Return an object made of parsed answers; `nothing` if they have unexpected shapes.

        The first reason of a part is kept, because later ones follow from it.
        """
        try:
            return make()
        except UnreadableError as error:
            self.unread.setdefault(part, str(error))
        except _ODD as error:
            odd = f"unexpected shape of the output: {error!r}"
            self.unread.setdefault(part, odd)
        return nothing
