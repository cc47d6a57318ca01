"""How much a change hurts: its classes, its rules, and the structural difference of texts."""
