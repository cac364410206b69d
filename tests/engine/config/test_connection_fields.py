"""What a profile says of the connection itself is kept under our own key."""

from __future__ import annotations

from inspector.config.importers.server_entry import read_entry, write_entry
from inspector.config.profile import Profile


def test_certificates_proxy_and_the_choice_about_secrets_survive_being_saved() -> None:
    """Ours."""
    profile = Profile(
        name="x",
        transport="http",
        url="https://mcp.test/mcp",
        verify=False,
        record_secrets=True,
        ca_file="/etc/ca.pem",
        client_cert="/etc/me.pem",
        proxy="http://proxy:3128",
    )

    read, notes = read_entry("x", write_entry(profile))

    assert (read, notes) == (profile, ())


def test_what_is_as_usual_is_not_written() -> None:
    """Ours."""
    entry = write_entry(Profile(id="1", name="x", transport="http", url="https://mcp.test/mcp"))

    assert entry["spyglass"] == {"id": "1"}
