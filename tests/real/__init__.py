"""Recordings of real traffic, read by tamis and by the three readers that one writes first."""
