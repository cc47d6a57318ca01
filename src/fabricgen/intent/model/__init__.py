"""Defines the intent as pydantic models, with one file for each subject."""
