"""From counts and speeds to switches, ports and links."""
