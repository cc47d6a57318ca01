"""What an operator's inventory says of a network: NetBox exports, plain CSV, LLDP."""
