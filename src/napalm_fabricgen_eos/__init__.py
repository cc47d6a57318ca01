"""The platform `fabricgen_eos` for NAPALM, which takes the first driver class it finds in here."""

from fabricgen.nos.eos.driver.driver import EosDriver

__all__ = ["EosDriver"]
