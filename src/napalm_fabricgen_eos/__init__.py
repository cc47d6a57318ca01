"""Provide the platform `fabricgen_eos` for NAPALM, which loads the first driver class in here."""

from fabricgen.nos.eos.driver.driver import EosDriver

__all__ = ["EosDriver"]
