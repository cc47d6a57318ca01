"""Defines the interface to a vendor's own models, which validate the files of switches."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from fabricgen.core.record import record


class Candidate(NamedTuple):
    """The file of one switch that models speak of. release: that of the switch's platform."""

    switch: str
    release: str
    text: str


class Refusal(NamedTuple):
    """One thing that the models of a release refuse. place: where it stands in the file."""

    switch: str
    release: str
    place: str
    why: str


class NotRun(Exception):  # noqa: N818 - said to the person: what is missing
    """Nothing was judged, and the exception says why."""


@record(kw_only=True)
class Models:
    """The models of a platform.

    what: their name for people. variable: the environment variable that names their folder.
    refusals: judges files by a folder that holds the models of one release, or a folder for each;
    NotRun where it cannot. outcome: what a release does with a file that its models refuse.
    """

    what: str
    variable: str
    outcome: Callable[[str], str]
    refusals: Callable[[Path, Sequence[Candidate]], Iterator[Refusal]]
