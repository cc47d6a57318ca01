"""The designed site in, documents for people and other tools out."""
