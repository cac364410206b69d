"""The cases of all families."""

from __future__ import annotations

from tests.engine.checks.families import capabilities_cases, models_cases, tools_cases

CASES = (*capabilities_cases.CASES, *tools_cases.CASES, *models_cases.CASES)
