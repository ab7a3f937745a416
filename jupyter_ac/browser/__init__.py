"""Chromium pages over the DevTools Protocol: connect, record, inspect, intercept."""
