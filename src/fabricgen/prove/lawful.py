"""Checks the laws of the invariants over the rendered files of a site."""

from collections import defaultdict
from collections.abc import Mapping

from fabricgen.core.diagnostics import Examined
from fabricgen.model.fabric.topology import Switch
from fabricgen.prove.filed import Filed, filed
from fabricgen.prove.invariants.law import Law
from fabricgen.prove.invariants.laws import CHECK, NOUN, OF_SITE, examined, unjudged
from fabricgen.prove.invariants.network import Network
from fabricgen.prove.share import Reason, Share, share


class Rendered:
    """The files of a site's switches. Each fabric is a separate network."""

    def __init__(self) -> None:
        """Start without switches."""
        self._fabrics: dict[str, list[Filed]] = defaultdict(list)

    def take(self, switch: Switch, texts: Mapping[str, str]) -> None:
        """Read the files of a switch, by their paths in its folder."""
        read = filed(switch.name, switch.platform, texts, f"{switch.fabric}/{switch.name}")
        if read is not None:
            self._fabrics[switch.fabric].append(read)

    def examined(self, laws: tuple[Law, ...] = OF_SITE) -> Examined:
        """Check laws; the result names those that no line of a platform shows."""
        networks = [Network(switches) for switches in self._fabrics.values()]
        results = [examined(network, laws) for network in networks]
        return Examined(
            check=CHECK,
            objects=sum(each.objects for each in results),
            noun=NOUN,
            findings=tuple(finding for each in results for finding in each.findings),
        )

    def share(self, reason: Reason) -> Share:
        """Count the lines of the files. `reason`: returns why a line is not used."""
        return share((each for part in self._fabrics.values() for each in part), reason)

    def unjudged(self) -> list[Examined]:
        """Return for each platform the laws that its files cannot show, as checks not run."""
        every = Network([each for part in self._fabrics.values() for each in part])
        return [
            Examined(check=CHECK, objects=0, noun=NOUN, findings=(), not_run=why)
            for why in unjudged(every)
        ]
