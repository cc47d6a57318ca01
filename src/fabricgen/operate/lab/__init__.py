"""The lab: a compiled site in, the same site as real FRR switches on this machine out."""
