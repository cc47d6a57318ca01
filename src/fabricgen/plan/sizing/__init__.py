"""Chooses a design before an intent exists and counts designs and sites in the same way."""
