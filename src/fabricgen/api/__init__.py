"""The public library: a site, its switches, servers, files and findings as Python objects."""
