"""Measurements: what the extension costs. Never a timed test."""
