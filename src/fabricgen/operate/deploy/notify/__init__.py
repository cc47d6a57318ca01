"""Notify others of a push: webhooks while it runs, metrics at its end."""
