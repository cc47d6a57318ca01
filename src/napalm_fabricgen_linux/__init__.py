"""Provide the driver `fabricgen_linux` for NAPALM.

NAPALM loads the first driver class that it finds in this module, so the module has only one.
"""

from fabricgen.nos.linux.driver.driver import LinuxDriver

__all__ = ["LinuxDriver"]
