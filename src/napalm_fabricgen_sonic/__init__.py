"""The name by which NAPALM finds the driver: `napalm.get_network_driver("fabricgen_sonic")`."""

from fabricgen.deploy.drivers.sonic.driver import SonicDriver

__all__ = ["SonicDriver"]
