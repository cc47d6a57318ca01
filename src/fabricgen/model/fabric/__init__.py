"""The vendor-neutral model: what a site is, independent of how it was written or is configured."""
