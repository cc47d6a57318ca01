"""Report the parts of a price list that no bill can have."""

from itertools import islice

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, Diagnostic, nearest
from fabricgen.model.cabling.counted import counted
from fabricgen.model.cabling.parts import PartNames
from fabricgen.model.catalog.catalog import Catalog
from fabricgen.model.fabric.floor import Floor

MOST_UNKNOWN = 100
"""List of prices with a reserved name for a later kind."""
_CALLED = "use the names of parts in bom.csv, which contain the length of cables"


def judge_prices(catalog: Catalog, floor: Floor, findings: Findings) -> None:
    """Report which parts of the list are unknown: a list may have more than this site needs."""
    places = catalog.prices.places
    if not places:
        return
    names = PartNames.of(catalog.switch_names(), catalog.optics())
    beside = {part.called for part, _, _ in counted(floor)}
    refused = ((part, place) for part, place in places.items() if part not in beside)
    unknown = ((part, place) for part, place in refused if not names.has(part))
    for part, place in islice(unknown, MOST_UNKNOWN):
        near = nearest(part, sorted(names.whole | names.cables))
        hint = f"did you mean {near!r}?" if near not in {None, part} else _CALLED
        message = f"no bill of materials has a part {part!r}"
        findings.add(Diagnostic(Code.PRICE_REFUSED, message, position=place, hint=hint))
