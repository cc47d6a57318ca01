"""Return the lossless design of the switches of a site."""

from collections.abc import Collection, Mapping

from fabricgen.compile.compiler import slices
from fabricgen.model.fabric.switch import Site
from fabricgen.prove.catalogue.thresholds import LosslessPlan, lossless_plan


def lossless_plans(site: Site, names: Collection[str]) -> Mapping[str, LosslessPlan]:
    """Return the design of the named switches that have a lossless class."""
    plans = (
        lossless_plan(switch_slice)
        for _, switch_slice in slices(site)
        if switch_slice.switch.name in names
    )
    return {plan.switch: plan for plan in plans if any(plan.lossless)}
