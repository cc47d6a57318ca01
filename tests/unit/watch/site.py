"""A small lossless site of SONiC switches, and the reports of a written series on it."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import yaml
from tests.keys.sites import SITES
from tests.unit.watch.written import Series

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import Site
from fabricgen.model.settings.watching import WatchLimits
from fabricgen.operate.deploy.targets import targets_of
from fabricgen.operate.state.watch.plans import lossless_plans
from fabricgen.operate.state.watch.report import Report, Watcher
from fabricgen.prove.catalogue.thresholds import LosslessPlan


@lru_cache(maxsize=8)
def site(name: str = "rails", platform: str = "sonic") -> Site:
    """Return a site with all switches on one platform."""
    made = compile_site(load_texts({"site.yaml": yaml.safe_dump(SITES[name])}), platform).site
    assert made is not None
    return made


@lru_cache(maxsize=8)
def plans(name: str = "rails", platform: str = "sonic") -> Mapping[str, LosslessPlan]:
    """Return the lossless design of its switches."""
    made = site(name, platform)
    return lossless_plans(made, targets_of(made).keys())


def leaf() -> LosslessPlan:
    return next(plan for plan in plans().values() if plan.tier == 1)


def spine() -> LosslessPlan:
    return next(plan for plan in plans().values() if plan.tier == 2)


def to_server(plan: LosslessPlan) -> str:
    """Return a port to a server."""
    return next(port.name for port in plan.lossless if port.to_server)


def to_switch(plan: LosslessPlan) -> str:
    """Return a port to a switch."""
    return next(port.name for port in plan.lossless if not port.to_server)


def reports(
    series: Series, *times: float, limits: WatchLimits | None = None, **more: Any
) -> Report:
    """Return the report of the last look."""
    watcher = Watcher(series.plans, limits or WatchLimits(), site="s", **more)
    found = [watcher.report(look) for look in series.looks(*(times or (0.0, 10.0)))]
    return found[-1]


def rules(report: Report) -> list[str]:
    """Return the rules with findings."""
    return [each.rule for each in report.findings]
