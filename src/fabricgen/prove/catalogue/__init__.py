"""Documented checks of running switches, and the engine that runs them."""
