"""Read which tunnel endpoints advertise a VNI or a subnet, from the EVPN tables of FRR."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fabricgen.core.tree.facts import GLOBAL, Facts
from fabricgen.nos.questions import Answer, UnreadableError
from fabricgen.nos.shared.frr.show import vrf_of
from fabricgen.nos.shared.frr.traffic import TABLES

# Both tables are large, so awk keeps the best paths of two types only, one line each, and counts
# the others. A path begins with `*>`, an equal one with `*=`. Its next hop is the first word of the
# next line. A VNI's table names the VNI above the paths; type 5 has its target below.
_ROUTES = r"""
/is not running/ { print; exit 1 }
/^VNI: / { vni = $2 }
/^Route Distinguisher/ { vni = "" }
/^\*/ { best = /^\*[ =]?[>=]/; split($0, word, /[\[\]]/); type = word[2]
  if (best && vni && type != 5) n[vni " " type]++
  prefix = word[8] "/" word[6]; hop = ""; next }
hop == "" { hop = $1; sub(/\(.*/, "", hop); if (best && vni && type == 3) print vni, "imet", hop }
/RT:/ { if (best && type == 5 && !vni)
  for (i = 1; i <= NF; i++) if (sub(/^RT:/, "", $i)) print $i, "prefix", prefix, hop }
END { for (key in n) { split(key, word, " "); print word[1], "count", word[2], n[key] } }
"""
TYPES = {"2": "mac-ip", "3": "imet"}
"""Names of route types (RFC 7432, section 7)."""


def command(vtysh: str) -> str:
    """Return the command. `vtysh`: how vtysh runs."""
    asked = " ".join(f"-c '{table}'" for table in TABLES)
    return f"{vtysh} {asked} 2>&1 | awk '{_ROUTES}' | sort -u"


class Routes:
    """EVPN routes by VNI and by route target."""

    def __init__(self, answer: Answer) -> None:
        """Split the lines of the answer."""
        if answer.status:
            raise UnreadableError((answer.text.strip().splitlines() or ["no output"])[0])
        self.imet: dict[str, set[str]] = defaultdict(set)
        self.prefixes: dict[tuple[str, str], set[str]] = defaultdict(set)
        self.counts: dict[tuple[str, str], int] = {}
        for line in filter(str.strip, answer.text.splitlines()):
            match line.split():
                case [vni, "imet", hop]:
                    self.imet[vni].add(hop)
                case [target, "prefix", prefix, hop]:
                    self.prefixes[target, prefix].add(hop)
                case [vni, "count", kind, number] if number.isdecimal():
                    self.counts[vni, TYPES.get(kind, kind)] = int(number)
                case _:
                    raise UnreadableError(line[:60])

    def facts(
        self,
        vnis: Sequence[Mapping[str, Any]],
        targets: Mapping[str, Any],
        named: Callable[[str], str] = str,
    ) -> Facts:
        """Return the VTEPs of each VNI, and of each subnet that a VRF imports.

        Routes of the switch itself have its own VTEP as next hop and are left out.

        Args:
            vnis: VNIs of zebra.
            targets: VNIs of bgpd, with their route targets.
            named: Returns the design's name of a VRF.
        """
        own = {str(each.get("vtepIp") or each.get("localVtepIp") or "") for each in vnis}
        facts: Facts = {
            ("evpn", vni): {"imet": tuple(sorted(far - own))} for vni, far in self.imet.items()
        }
        tables = {
            str(each["vni"]): named(vrf_of(each)) for each in vnis if each.get("type") == "L3"
        }
        for vni, vrf in tables.items():
            for key, far in self._imported(targets.get(vni, {}), own).items():
                facts["evpn-prefix", vrf or GLOBAL, key] = {"vteps": tuple(sorted(far))}
        return facts

    def measures(self) -> dict[tuple[str, ...], float]:
        """Return the number of best routes of each VNI by type."""
        return {("evpn-routes", *key): float(count) for key, count in self.counts.items()}

    def _imported(self, shown: Mapping[str, Any], own: set[str]) -> dict[str, set[str]]:
        wanted = set(map(str, shown.get("importRTs", ())))
        found: dict[str, set[str]] = defaultdict(set)
        for (target, prefix), far in self.prefixes.items():
            if target in wanted and far - own:
                found[prefix] |= far - own
        return found
