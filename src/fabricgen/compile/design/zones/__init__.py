"""Design the access lists between zones."""
