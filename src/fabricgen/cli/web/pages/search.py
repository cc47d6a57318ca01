"""Makes the data of the search: numbers and networks in one chunk, addresses in sorted pages."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabricgen import SearchIndex, Site

OWNERS_OF_PAGE = 64
"""Switches and servers for each page of addresses: some 2,000 addresses, which load at once."""


def chunks(site: Site) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield the index, the networks, then the pages of addresses. Devices are in `devices`."""
    data = _Data(site)
    yield "search/index", data.index
    yield "search/networks", data.networks
    for page in range(data.pages):
        yield f"search/addresses/{page}", partial(data.addresses, page)


class _Data:
    """The chunks of a site's search. The library is asked when the first one is needed."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.pages = 1 + (len(site.switches) + len(site.servers)) // OWNERS_OF_PAGE

    @cached_property
    def found(self) -> SearchIndex:
        return self.site.search_index()

    @cached_property
    def owners(self) -> dict[str, int]:
        """Return the place of each switch and server in the chunk `devices`."""
        return {name: place for place, name in enumerate([*self.site.switches, *self.site.servers])}

    def index(self) -> dict[str, Any]:
        """Return AS numbers, the keys of networks, and the first address of each page."""
        firsts = (self.found.addresses[self._start(page) :][:1] for page in range(self.pages))
        return {
            "pages": [first[0].address if first else "" for first in firsts],
            "numbers": [
                [each.asn, self.owners[each.owner], each.use] for each in self.found.numbers
            ],
            "networks": [[*each.key, each.vni, each.gateways] for each in self.found.networks],
        }

    def networks(self) -> list[dict[str, Any]]:
        """Return each VLAN and VRF with the places of its switches."""
        return [
            {
                **each.key._asdict(),
                "tenant": each.tenant,
                "vni": each.vni,
                "vrf": each.vrf,
                "gateways": each.gateways,
                "switches": [self.owners[name] for name in each.switches],
            }
            for each in self.found.networks
        ]

    def addresses(self, page: int) -> dict[str, Any]:
        """Return the addresses of a page. Each use is listed once."""
        uses: dict[str, int] = {}
        rows = [
            [each.address, self.owners[each.owner], uses.setdefault(each.use, len(uses))]
            for each in self.found.addresses[self._start(page) : self._start(page + 1)]
        ]
        return {"uses": list(uses), "rows": rows}

    def _start(self, page: int) -> int:
        return page * len(self.found.addresses) // self.pages
