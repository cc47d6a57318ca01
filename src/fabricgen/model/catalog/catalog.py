"""Joins the hardware that a site may name: shipped, from packages and from the site itself."""

from collections.abc import Mapping

from fabricgen.core.record import record
from fabricgen.model.catalog.asics import Asic, asic, asic_names
from fabricgen.model.catalog.nics import NicModel, nic_model, nic_names
from fabricgen.model.catalog.optics import Optic, shipped_optics
from fabricgen.model.catalog.prices import NO_PRICES, PriceList
from fabricgen.model.catalog.switches import SwitchModel, model_names, switch_model, with_chip


@record(eq=False, kw_only=True)
class Catalog:
    """Catalog of one site. own_…: the hardware that the site adds, by name.

    Load and design pass this value on, so two sites of one process are independent. `prices`:
    prices of parts. `refused`: names of models and NICs whose files have errors, so that no
    follow-up error appears.
    """

    own_switches: Mapping[str, SwitchModel]
    own_nics: Mapping[str, NicModel]
    own_asics: Mapping[str, Asic]
    own_optics: Mapping[str, Optic]
    refused: frozenset[str] = frozenset()
    prices: PriceList = NO_PRICES

    def switch(self, name: str) -> SwitchModel | None:
        """Return the switch model of that name, or None; a chip has the facts that a site adds."""
        model = self.own_switches.get(name) or switch_model(name)
        chip = self.own_asics.get(model.asic) if model is not None else None
        return model if model is None or chip is None else with_chip(model, chip)

    def known(self, name: str) -> SwitchModel:
        """Return a switch model that is known to exist."""
        model = self.switch(name)
        assert model is not None
        return model

    def nic(self, name: str) -> NicModel | None:
        """Return the NIC of that name, or None."""
        return self.own_nics.get(name) or nic_model(name)

    def asic(self, name: str) -> Asic | None:
        """Return the chip of that name, or None."""
        return self.own_asics.get(name) or asic(name)

    def optic(self, name: str) -> Optic | None:
        """Return the optic or cable of that name, or None."""
        return self.own_optics.get(name) or shipped_optics().get(name)

    def optics(self) -> list[Optic]:
        """Return every optic and cable; the site's come last."""
        return [*shipped_optics().values(), *self.own_optics.values()]

    def switch_names(self) -> tuple[str, ...]:
        """Return the name of every switch model."""
        return tuple(dict.fromkeys((*model_names(), *self.own_switches)))

    def nic_names(self) -> tuple[str, ...]:
        """Return the name of every NIC."""
        return tuple(sorted({*nic_names(), *self.own_nics}))

    def asic_names(self) -> tuple[str, ...]:
        """Return the name of every chip."""
        return tuple(dict.fromkeys((*asic_names(), *self.own_asics)))

    def nics(self) -> list[NicModel]:
        """Return every NIC, by name."""
        return [model for name in self.nic_names() if (model := self.nic(name)) is not None]


SHIPPED = Catalog(own_switches={}, own_nics={}, own_asics={}, own_optics={})
"""The catalog of a site without hardware facts."""
