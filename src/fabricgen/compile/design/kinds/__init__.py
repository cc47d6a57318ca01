"""Design each kind of fabric from its part of the intent."""
