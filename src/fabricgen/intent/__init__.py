"""What people write: YAML with positions in, a validated Intent out."""
