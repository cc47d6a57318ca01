"""Turn an intent into the files of every switch and server."""
