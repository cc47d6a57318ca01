"""Reads an operator's inventory of a network: NetBox exports, plain CSV and LLDP."""
