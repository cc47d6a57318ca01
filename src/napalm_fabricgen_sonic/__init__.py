"""The name by which NAPALM finds the driver: `napalm.get_network_driver("fabricgen_sonic")`."""

from fabricgen.nos.sonic.driver.driver import SonicDriver

__all__ = ["SonicDriver"]
