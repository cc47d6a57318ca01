"""Whoever is not at the terminal hears of a push: webhooks while it goes on, metrics at its end."""
