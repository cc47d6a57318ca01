"""The words of the intent, as pydantic models; one file per subject."""
