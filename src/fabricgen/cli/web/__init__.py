"""Shows a site as web pages: `report` writes them to a folder, and `serve` sends them live."""
