"""Write the answers of every EOS and SONiC switch of a site as recordings for `verify --from`.

`python -m tests.written SITE DIR`. The generators of this folder *write* the answers, and
import no reader. Nobody recorded them from a switch. A real Redis answers the scripts for SONiC.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.written.eos.eapi import output
from tests.written.eos.switches import written as written_eos
from tests.written.sonic import commands, databases
from tests.written.sonic.served import Written, serving
from tests.written.sonic.site import switches_of

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_site
from fabricgen.model.fabric.switch import Site
from fabricgen.nos.questions import Answers
from fabricgen.nos.registry import reader_of
from fabricgen.operate.deploy.targets import targets_of
from fabricgen.operate.state.recordings import Recorded, Recorder
from fabricgen.prove.runs import Expected
from fabricgen.prove.verifier import expectations

RELEASE = "202511"
"""Release of SONiC switches whose intent names none."""


def of_eos(site: Site, wanted: Mapping[str, Expected]) -> Iterator[tuple[str, Answers]]:
    """Yield the answers of the EOS switches."""
    reader = reader_of("eos")
    assert reader is not None
    for name, shown in written_eos(site).items():
        yield name, reader.decode(output(shown, reader.request(wanted[name].facts)))


def of_sonic(site: Site, wanted: Mapping[str, Expected]) -> Iterator[tuple[str, Answers]]:
    """Yield the answers of the SONiC switches."""
    with serving() as served:
        for name, switch in switches_of(site, RELEASE).items():
            tables, lines = databases.written(switch), commands.written(switch)
            made = Written(switch, wanted[name], tables, lines, commands.vtysh(switch))
            yield name, served.answers(made)


def write(folder: Path, place: Path) -> int:
    """Write the recordings of a site, and return their number."""
    site = compile_site(load_site(folder)).site
    assert site is not None, f"{folder} does not compile"
    models = {
        switch.name: switch.model.name
        for fabric in site.fabrics
        for switch in fabric.topology.switches
    }
    targets, recorder, number = targets_of(site), Recorder(place, lambda text: text), 0
    wanted = expectations(site, frozenset(targets))
    for name, answers in (*of_eos(site, wanted), *of_sonic(site, wanted)):
        about = Recorded(
            switch=name,
            platform=targets[name].platform,
            release=targets[name].release,
            model=models[name],
        )
        recorder.write(about, answers)
        number += 1
    return number


if __name__ == "__main__":
    written = write(Path(sys.argv[1]), Path(sys.argv[2]))
    sys.stdout.write(f"{written} switches written; no switch was asked\n")
