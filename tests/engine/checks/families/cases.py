"""The cases of all families."""

from __future__ import annotations

from tests.engine.checks.families import (
    capabilities_cases,
    models_cases,
    readers_cases,
    requests_cases,
    resources_cases,
    tools_cases,
)

CASES = (
    *capabilities_cases.CASES,
    *tools_cases.CASES,
    *models_cases.CASES,
    *resources_cases.CASES,
    *requests_cases.CASES,
    *readers_cases.CASES,
)
