"""The physical plan: cables, their lengths and media, what is bought and where it stands."""
