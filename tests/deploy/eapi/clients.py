"""Configurations and drivers that the tests of the EOS driver share."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from napalm.base import get_network_driver
from tests.deploy.eapi.grammar import Configuration
from tests.deploy.eapi.server import PASSWORD, USER, Server

from fabricgen.nos.driver import Transport
from fabricgen.nos.eos.driver.driver import EosDriver

ROOT = Path(__file__).resolve().parents[3]

OLD_HASH, NEW_HASH = "$6$old$oldoldold", "$6$new$newnewnew"

OLD = f"""
hostname leaf01
username admin privilege 15 role network-admin secret sha512 {OLD_HASH}
vlan 101
   name training
interface Ethernet1/1
   description old
   mtu 9214
   no switchport
management api http-commands
   no shutdown
   vrf mgmt
      no shutdown
"""
NEW = f"""!
hostname leaf01
!
banner login
  ! keep out !
   by order
EOF
!
username admin privilege 15 role network-admin secret sha512 {NEW_HASH}
!
vlan 102
   name inference
!
interface Ethernet1/1
   description new
   mtu 9000
   no switchport
!
management api http-commands
   no shutdown
   !
   vrf mgmt
      no shutdown
!
end
"""


@dataclass(frozen=True)
class Bench:
    """A stand-in, and what a driver needs to reach it."""

    server: Server
    ca_file: Path

    @contextmanager
    def driver(self, timeout: int = 60, **options: Any) -> Iterator[EosDriver]:
        """Open a driver as NAPALM finds it."""
        kind = get_network_driver("fabricgen_eos")
        given = {"port": self.server.port, "ca_file": str(self.ca_file), "session_wait": 0}
        given |= options
        driver = kind("127.0.0.1", USER, PASSWORD, timeout, given)
        assert isinstance(driver, EosDriver)
        driver.open()
        try:
            yield driver
        finally:
            driver.close()


OLD_TEXT, NEW_TEXT = Configuration(OLD).text(), Configuration(NEW).text()


def commit(driver: Transport, plan: str, text: str, seconds: int = 300) -> None:
    """Take a plan up to the point where it waits for confirmation."""
    driver.claim(plan)
    driver.load_replace_candidate(config=text)
    driver.commit_config(revert_in=seconds)
