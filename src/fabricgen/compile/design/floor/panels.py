"""Words of structured cabling in; how fibre runs between racks, panels and losses out."""

from collections.abc import Iterable, Mapping

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, did_you_mean
from fabricgen.intent.model import cabling as words
from fabricgen.intent.model.intent import Intent
from fabricgen.intent.paths import at
from fabricgen.model.fabric.floor import Losses, Panels, Structured


def structured_of(
    intent: Intent, fabrics: Iterable[str], findings: Findings
) -> Mapping[str, Structured]:
    """Return how fibre runs, of the fabrics that have trunks."""
    known, found = set(fabrics), {}
    for name, said in intent.cabling.structured.items():
        path = at("cabling", "structured", name)
        if name not in known:
            findings.error(Code.UNKNOWN_REFERENCE, f"no fabric {name!r}", path)
            continue
        for number, pair in enumerate(said.between):
            for each in sorted(set(pair) - intent.racks.keys()):
                hint = did_you_mean(each, sorted(intent.racks))
                what = f"no racks of type {each!r}"
                findings.error(Code.UNKNOWN_REFERENCE, what, (*path, "between", number), hint)
        found[name] = Structured(
            fibres=said.trunk,
            between=frozenset(map(frozenset, said.between)),
            spare=said.spare,
            next_fibres=said.next_fibres,
            path=path,
        )
    return found


def panels_of(said: words.Cabling) -> Panels:
    """Return what panels and cable managers hold."""
    return Panels(ports=said.panel.ports, units=said.panel.units, cables=said.manager)


def losses_of(said: words.Losses) -> Losses:
    """Return what light loses."""
    fibre = {"multimode": said.multimode, "single-mode": said.single_mode}
    return Losses(mpo=said.mpo, lc=said.lc, fibre=fibre)
