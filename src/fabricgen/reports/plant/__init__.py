"""The physical plan as files: for who lays cables, who buys, and who looks."""
