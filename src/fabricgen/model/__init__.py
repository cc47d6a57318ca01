"""Describes hardware, lossless arithmetic, cabling and the vendor-neutral network."""
