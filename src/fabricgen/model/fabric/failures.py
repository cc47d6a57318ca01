"""Defines the failures that a site must survive and its availability requirements."""

from enum import StrEnum
from fractions import Fraction

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.record import record


class Fails(StrEnum):
    """What fails: one thing, or what the intent names together."""

    SERVER_LINK = "server-link"
    LINK = "link"  # between two switches
    SITE_LINK = "site-link"  # between two sites, or to the carrier between them
    LEAF = "leaf"
    SPINE = "spine"
    SUPERSPINE = "superspine"
    POWER_ZONE = "power-zone"
    DOUBLE = "double"


ONE_THING = frozenset(Fails) - {Fails.POWER_ZONE, Fails.DOUBLE}
"""Failures of one link or one switch."""


@record(kw_only=True)
class Together:
    """What fails at once. ports: (switch, label of the port) of links that fail.

    name: how people are told of it: the power zone's, or what is named, joined.
    """

    kind: Fails
    name: str
    switches: tuple[str, ...]
    ports: tuple[tuple[str, str], ...]


@record(kw_only=True)
class Promise:
    """What is kept whatever fails of `after`. kind: fabric, rail or tenant, of the name `of`.

    keeps, each: the least share of the bandwidth of all, and of each server that does not lose it.
    stays: no server does. between: it is about the ways between these two sites, of which no VRF
    loses all if it `stays`. path: where the intent says so.
    """

    name: str
    kind: str
    of: str
    keeps: Fraction | None
    each: Fraction | None
    stays: bool
    after: frozenset[Fails]
    path: IntentPath
    between: tuple[str, ...] = ()


@record(kw_only=True)
class FailureModel:
    """The power zones and double failures that the intent names, and the promises."""

    together: tuple[Together, ...] = ()
    promises: tuple[Promise, ...] = ()


NO_FAILURES = FailureModel()
"""Of a site whose intent says nothing of it."""
