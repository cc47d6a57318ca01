"""Engine two: packets walked through what the written files of all switches say."""
