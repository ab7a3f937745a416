"""A week of weather from one thermometer."""
