"""The conversation: prompt, turn, stream and history. Knows neither the wire nor its services."""
