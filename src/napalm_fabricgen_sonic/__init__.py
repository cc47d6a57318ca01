"""Provide the driver for NAPALM: `napalm.get_network_driver("fabricgen_sonic")`."""

from fabricgen.nos.sonic.driver.driver import SonicDriver

__all__ = ["SonicDriver"]
