"""Hold what several platforms share: FRR, descriptions, documents, custom lines and the agent."""
