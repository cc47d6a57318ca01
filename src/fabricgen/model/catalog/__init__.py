"""Facts of hardware, each with its source: switch models and ASICs, read from YAML files."""
