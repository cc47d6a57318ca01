"""Validate CONFIG_DB by SONiC's YANG models, as an XML document for libyang."""
