"""What a site keeps when something fails: bandwidth by max-flow, servers cut off, promises."""
