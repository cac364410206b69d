"""Secrets inside of texts, arguments and URLs: taken out of what is saved, and put back where they belong; ours."""

from __future__ import annotations

import time

import pytest
from msgspec.structs import replace

from inspector.config.profile import Profile, endpoint_text
from inspector.config.profile_warnings import profile_warnings
from inspector.config.secret_extraction import extract_secrets, masked, restore_secrets
from inspector.session import era_cache
from inspector.wire.redaction import MASK

LOCAL = Profile(command="x", args=("--token", "first", "--level", "debug", "--key", "second"))
REMOTE = Profile(transport="http", url="https://me:word@h/mcp?api_key=k-1&page=2")
KNOWN = Profile(
    command="/usr/bin/docker",
    args=("exec", "db", "mysql", "-psecret-1", "-c", "curl -u me:secret-2 x", "-u", "me:secret-3"),
)
STARTED = Profile(
    command="sshpass -v",
    args=("-P", "word", "-psecret-1", "ssh", "mysql", "-psecret-2", "curl", "-u", "secret-3:"),
)
NAMED = Profile(
    command="x", args=("--token", "secret-1/mysql", "X-Api-Key:secret-2/mysql", "-p80", "run")
)
"""Its secrets end with the name of a program."""
ALL = pytest.mark.parametrize("profile", [LOCAL, REMOTE, KNOWN, STARTED, NAMED])


def test_what_is_saved_keeps_all_that_is_no_secret() -> None:
    local, remote = extract_secrets(LOCAL)[0], extract_secrets(REMOTE)[0]

    assert local.args == ("--token", MASK, "--level", "debug", "--key", MASK)
    assert local.extracted == ("arg:1", "arg:5")
    assert remote.url == f"https://{MASK}@h/mcp?api_key={MASK}&page=2"
    assert remote.extracted == ("url",)


@ALL
def test_what_is_sealed_already_is_not_sealed_again(profile: Profile) -> None:
    """A list is saved while some of its servers were never opened."""
    sealed = extract_secrets(profile)[0]

    assert extract_secrets(sealed) == (sealed, {})


@ALL
def test_a_sealed_server_looks_and_is_remembered_like_the_opened_one(profile: Profile) -> None:
    sealed = extract_secrets(profile)[0]

    assert endpoint_text(sealed) == endpoint_text(profile)
    assert era_cache.digest(sealed) == era_cache.digest(profile)
    assert masked(sealed).args == masked(profile).args


@ALL
def test_what_is_opened_is_what_was_sealed(profile: Profile) -> None:
    sealed, values = extract_secrets(profile)

    assert restore_secrets(sealed, values.get)[0] == profile
    assert not any("secret-" in each for each in sealed.args)


@pytest.mark.parametrize(
    ("edited", "opened"),
    [
        (("-v", "--token", MASK, "--key", MASK), ("-v", "--token", "first", "--key", "second")),
        (("--key", MASK, "--token", MASK), ("--key", "second", "--token", "first")),
        (("--key", MASK), ("--key", "second")),
        (("--other", MASK), ("--other", MASK)),
        (("--token", "typed"), ("--token", "typed")),
        ((), ()),
    ],
)
def test_a_secret_goes_back_behind_its_own_option_and_nowhere_else(
    edited: tuple[str, ...], opened: tuple[str, ...]
) -> None:
    """Whatever was edited in the file by hand."""
    sealed, values = extract_secrets(LOCAL)

    found = restore_secrets(replace(sealed, args=edited), values.get)[0]
    assert (found.args, found.extracted) == (opened, ())


def test_the_secret_of_a_url_does_not_go_to_another_host() -> None:
    sealed, values = extract_secrets(REMOTE)

    moved = replace(sealed, url=sealed.url.replace("@h/", "@evil.example/"))
    assert restore_secrets(moved, values.get)[0].url == moved.url


def test_a_secret_that_was_typed_over_a_sealed_one_replaces_it() -> None:
    sealed, values = extract_secrets(LOCAL)
    typed = replace(sealed, args=("--token", "new", *sealed.args[2:]))

    again, more = extract_secrets(typed)
    opened = restore_secrets(again, (values | more).get)[0]
    assert opened.args == ("--token", "new", "--level", "debug", "--key", "second")


def test_equal_options_keep_their_secrets_apart() -> None:
    profile = Profile(command="x", args=("--key", "a-1", "--key", "b-2", "--key=c-3", "--key=d-4"))

    sealed, values = extract_secrets(profile)
    assert restore_secrets(sealed, values.get)[0] == profile


def test_the_time_to_put_secrets_back_does_not_grow_with_the_cube_of_their_number() -> None:
    """Ours: what stands before each of 150 arguments was read again for each of 150 secrets."""
    profile = Profile(command="x", args=tuple(f"--token{each}=secret" for each in range(150)))
    sealed, values = extract_secrets(profile)
    before = time.thread_time()

    assert restore_secrets(sealed, values.get)[0] == profile
    assert time.thread_time() - before < 1


def test_placeholders_of_other_clients_are_not_sealed() -> None:
    profile = Profile(
        args=("--token", "${TOKEN}", "--key=${input:key}"),
        url="https://h/?key=${KEY}",
        headers=(("Authorization", "Bearer ${input:token}"),),
    )

    assert extract_secrets(profile) == (profile, {})


def test_dots_that_will_not_be_opened_are_warned_of() -> None:
    """They come with a configuration that was copied without its secrets."""
    sealed = extract_secrets(LOCAL)[0]

    def rules(profile: Profile) -> list[str]:
        return [each.rule for each in profile_warnings(profile, lambda name: name)]

    assert "placeholder" in rules(replace(sealed, extracted=()))
    assert "placeholder" not in rules(sealed)
    assert "placeholder" in rules(Profile(command="x", env=(("API_KEY", MASK),)))
