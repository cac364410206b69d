"""Tolerant typed readings of params and results.

No view raises, and no view drops an item: what could not be read stays in `raw`, and a finding says so.
"""
