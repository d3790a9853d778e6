"""Slow, obvious twins of the rules in plain Python, written apart from the engine."""
