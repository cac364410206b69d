"""The cases of all families."""

from __future__ import annotations

from tests.engine.checks.families import (
    capabilities_cases,
    client_features_cases,
    envelope_cases,
    http_cases,
    http_sessions_cases,
    http_streams_cases,
    identity_cases,
    lifecycle_cases,
    models_cases,
    readers_cases,
    requests_cases,
    resources_cases,
    rounds_cases,
    stateless_cases,
    stdio_cases,
    tasks_cases,
    tools_cases,
    utilities_cases,
)

CASES = (
    *envelope_cases.CASES,
    *identity_cases.CASES,
    *stdio_cases.CASES,
    *client_features_cases.CASES,
    *http_cases.CASES,
    *http_sessions_cases.CASES,
    *http_streams_cases.CASES,
    *stateless_cases.CASES,
    *rounds_cases.CASES,
    *tasks_cases.CASES,
    *lifecycle_cases.CASES,
    *capabilities_cases.CASES,
    *models_cases.CASES,
    *readers_cases.CASES,
    *requests_cases.CASES,
    *resources_cases.CASES,
    *tools_cases.CASES,
    *utilities_cases.CASES,
)
"""Every case."""
