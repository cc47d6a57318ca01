"""Where NAPALM looks for the driver `fabricgen_linux`.

It takes the first driver class that it finds in here, so no other may be here.
"""

from fabricgen.nos.linux.driver.driver import LinuxDriver

__all__ = ["LinuxDriver"]
