"""Defines the vendor-neutral model of a site, independent of intent syntax and network OS."""
