"""SONiC's YANG models: CONFIG_DB as the document they describe, and libyang's word on it."""
