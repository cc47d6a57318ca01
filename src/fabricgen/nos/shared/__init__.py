"""What several platforms embed: FRR, what they share of descriptions, documents and lines."""
