"""What a week of readings amounts to."""

import sys

from weather.readings import read_readings


def mean(readings):
    """Return the mean temperature in degrees Celsius."""
    return sum(reading.celsius for reading in readings) / len(readings)


def hottest(readings):
    """Return the reading of the hottest day."""
    return max(readings, key=lambda reading: reading.celsius)


def feels_like(reading):
    """Return how warm it feels in the wind (valid below 10 degrees and above 5 km/h)."""
    factor = reading.wind**0.16
    return 13.12 + 0.6215 * reading.celsius - 11.37 * factor + 0.3965 * reading.celsius * factor


if __name__ == "__main__":
    week = read_readings(sys.argv[1])
    print(f"mean {mean(week):.1f} °C, hottest on {hottest(week).day:%A}")
