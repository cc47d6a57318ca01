"""Write the answers of `written-eos` again: a right leaf, on which two values are changed.

The answers are *written*, not recorded: the generator of tests/written makes them from the model.
"""

import gzip
import io
import tarfile
import tempfile
from pathlib import Path

from tests.written.eos.eapi import output
from tests.written.eos.switches import Shown, written

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_site
from fabricgen.nos.registry import reader_of
from fabricgen.operate.deploy.targets import targets_of
from fabricgen.operate.state.recordings import Recorded, Recorder
from fabricgen.prove.verifier import expectations

HERE = Path(__file__).parent / "written-eos"
SWITCH, PORT = "fe-leaf02", "Ethernet29/1"


def planted(shown: Shown) -> Shown:
    """Return answers with a wrong MTU of a port, and a power supply without power."""
    shown["show interfaces"]["interfaces"][PORT]["mtu"] = 1500
    supplies = shown["show system environment power"]["powerSupplies"]
    next(iter(supplies.values()))["state"] = "powerLoss"
    return shown


def write() -> None:
    """Write the tarball. Equal answers give equal bytes, except for the time of the recording."""
    site = compile_site(load_site(HERE / "site")).site
    reader = reader_of("eos")
    assert site is not None
    assert reader is not None
    wanted = expectations(site, frozenset(targets_of(site)))[SWITCH]
    shown = planted(written(site)[SWITCH])
    answers = reader.decode(output(shown, reader.request(wanted.facts)))
    with tempfile.TemporaryDirectory() as folder:
        about = Recorded(switch=SWITCH, platform="eos", release="", model="7050CX3-32S")
        Recorder(Path(folder), lambda text: text).write(about, answers)
        (HERE / "answers.tar.gz").write_bytes(_packed(Path(folder)))


def _packed(folder: Path) -> bytes:
    data = io.BytesIO()
    with (
        gzip.GzipFile(fileobj=data, mode="wb", mtime=0) as zipped,
        tarfile.open(fileobj=zipped, mode="w") as tar,
    ):
        for place in sorted(each for each in folder.rglob("*") if each.is_file()):
            member = tarfile.TarInfo(f"answers/{place.relative_to(folder)}")
            member.size = place.stat().st_size
            with place.open("rb") as source:
                tar.addfile(member, source)
    return data.getvalue()


if __name__ == "__main__":
    write()
