"""Stand-ins for SONiC switches, with a rendered configuration on them."""

import copy
import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from napalm import get_network_driver
from tests.conftest import NOT_RUN
from tests.deploy.sonic.edits import base
from tests.deploy.sonic.standin import frr as standin_frr
from tests.deploy.sonic.standin.frr import RealFrr
from tests.deploy.sonic.standin.switch import StandIn, why_not

from fabricgen.nos.driver import OnlyByReload, pack
from fabricgen.nos.shared.onswitch import disk, frr
from fabricgen.nos.sonic.driver.driver import SonicDriver
from fabricgen.nos.sonic.driver.onswitch import apply, container
from fabricgen.nos.sonic.driver.onswitch.container import CONF

RENDERED = (
    Path(__file__).resolve().parents[2] / "golden" / "full" / "files" / "backend" / "be-spine1"
)
IMAGE = {
    "FEATURE": {"bgp": {"state": "enabled", "auto_restart": "enabled"}},
    "VERSIONS": {"DATABASE": {"VERSION": "version_202505_01"}},
}
MAC = "1c:34:da:00:00:01"


@dataclass(slots=True)
class Ground:
    """A stand-in that runs what was rendered, and drivers that reach it."""

    switch: StandIn
    tables: dict[str, Any]
    frr: str
    drivers: list[SonicDriver] = field(default_factory=list)

    def driver(self, **options: Any) -> SonicDriver:
        """Return a connected driver, found as NAPALM finds it."""
        made = get_network_driver("fabricgen_sonic")
        driver: Any = made("127.0.0.1", "root", "", 30, {**self.switch.options, **options})
        driver.open()
        self.drivers.append(driver)
        return driver  # type: ignore[no-any-return]

    def loaded(self, plan: str = "p1", text: str | None = None) -> SonicDriver:
        """Return a driver that has claimed the switch and loaded a candidate."""
        driver = self.driver()
        driver.claim(plan)
        driver.load_replace_candidate(config=self.changed() if text is None else text)
        return driver

    def changed_services(self) -> str:
        """Return a configuration that differs in a table that no port depends on."""
        tables = {name: rows for name, rows in self.tables.items() if name != "NTP_SERVER"}
        return bundle(tables, self.frr)

    def reloading(self, text: str | None = None, patience: float = 60) -> SonicDriver:
        """Return a driver whose candidate the updater refuses, loaded for a reload."""
        self.switch.fail(illegal="PFC_WD")
        driver = self.driver(reload_timeout=patience)
        driver.claim("p1")
        with pytest.raises(OnlyByReload, match="Modification of PFC_WD table is illegal"):
            driver.load_replace_candidate(config=self.changed() if text is None else text)
        driver.load_for_reload(self.changed() if text is None else text)
        return driver

    def text(self) -> str:
        """Return the rendered configuration."""
        return bundle(self.tables, self.frr)

    def changed(self, mtu: str = "9000", frr: str | None = None) -> str:
        """Return a configuration that differs in two ports, a VLAN, a gone table and frr.conf."""
        tables = copy.deepcopy(self.tables)
        first, second = sorted(tables["PORT"])[:2]
        tables["PORT"][first]["mtu"] = tables["PORT"][second]["mtu"] = mtu
        tables["VLAN"] = {"Vlan7": {"vlanid": "7"}}
        del tables["NTP_SERVER"]
        return bundle(tables, self.frr + "ip forwarding\n" if frr is None else frr)

    def close(self) -> None:
        """Disconnect and stop."""
        for driver in self.drivers:
            driver.close()
        self.switch.stop()


def bundle(tables: dict[str, Any], frr: str) -> str:
    """Pack a switch's two files."""
    return pack({"config_db.json": json.dumps(tables), "frr.conf": frr})


@pytest.fixture
def ground() -> Iterator[Ground]:
    """Give a test a switch of its own."""
    with standing(lambda ground: (ground.tables, ground.frr)) as ground:
        yield ground


@contextmanager
def standing(runs: Callable[[Ground], tuple[dict[str, Any], str]]) -> Iterator[Ground]:
    """Yield a switch. runs: the tables and frr.conf that it has, beside its image's."""
    if reason := why_not():
        pytest.skip(f"{NOT_RUN}: no stand-in of SONiC: {reason}")
    with tempfile.TemporaryDirectory(prefix="sonic-", ignore_cleanup_errors=True) as place:
        tables = json.loads((RENDERED / "config_db.json").read_text())
        del tables["SNMP_USER"], tables["TACPLUS"]["global"]["passkey"]  # their secrets
        ground = Ground(StandIn(Path(place)), tables, (RENDERED / "frr.conf").read_text())
        own, frr = runs(ground)
        running = {**copy.deepcopy(own), **IMAGE}
        running["DEVICE_METADATA"]["localhost"]["mac"] = MAC
        try:
            ground.switch.start(running, frr)
            yield ground
        finally:
            ground.close()


@pytest.fixture(scope="module")
def leaf() -> Iterator[RealFrr]:
    """Start FRR once; every test leaves it with the file that it began with."""
    if reason := standin_frr.why_not():
        pytest.skip(f"{NOT_RUN}: no FRR: {reason}")
    with tempfile.TemporaryDirectory(prefix="frr-") as place, pytest.MonkeyPatch.context() as patch:
        made = RealFrr(Path(place))
        patch.setattr(disk, "ROOT", made.home)
        for module in (frr, apply, container):
            patch.setattr(module, "run", made.run)
        (made.home / CONF).parent.mkdir(parents=True)
        (made.home / CONF).write_text(base())
        try:
            made.start(base())
            yield made
        finally:
            made.stop()
