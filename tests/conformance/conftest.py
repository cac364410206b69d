"""The suite, made from its lock when a test needs it."""

from __future__ import annotations

import pytest

from tests.conformance.suite import Suite
from tests.support import peers


@pytest.fixture(scope="session")
def conformance_suite() -> Suite:
    """The official conformance suite."""
    return Suite(peers.require("conformance"))
