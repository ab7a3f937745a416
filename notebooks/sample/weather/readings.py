"""Reads the thermometer's file."""

import csv
from dataclasses import dataclass
from datetime import date
from pathlib import Path


@dataclass(frozen=True)
class Reading:
    """One day: the date, degrees Celsius at noon, wind in km/h."""

    day: date
    celsius: float
    wind: float


def read_readings(path):
    """Return the readings of a file, in the file's order."""
    with Path(path).open(newline="", encoding="utf-8") as lines:
        return [
            Reading(date.fromisoformat(row["day"]), float(row["celsius"]), float(row["wind"]))
            for row in csv.DictReader(lines)
        ]
