"""Define the interface to a vendor's own models, which validate the files of switches."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from fabricgen.core.record import record


class Candidate(NamedTuple):
    """The file of one switch to validate, and the release of the switch's platform."""

    switch: str
    release: str
    text: str


class Refusal(NamedTuple):
    """One error that the models of a release report, and its place in the file."""

    switch: str
    release: str
    place: str
    why: str


class NotRun(Exception):  # noqa: N818 - the person reads the missing part
    """The validation did not run, and the exception says why."""


@record(kw_only=True)
class Models:
    """The models of a platform.

    Attributes:
        what: Their name for people.
        variable: The environment variable that names their folder.
        refusals: Validates files with a folder of models of one release, or one folder for each;
            NotRun if that is impossible.
        outcome: The reaction of a release to a file that its models refuse.
    """

    what: str
    variable: str
    outcome: Callable[[str], str]
    refusals: Callable[[Path, Sequence[Candidate]], Iterator[Refusal]]
