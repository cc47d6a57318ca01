"""Write a compiled site in the formats of other tools."""
