"""Documents that *describe* a server for distribution, read as entries of a configuration.

    server.json of the MCP registry   packages (npm, PyPI, OCI, NuGet …) and remotes
    manifest.json of an MCPB bundle   one program with its arguments and variables
    a catalog of the Docker MCP toolkit

Values that only an installation has (required inputs, the folder of a bundle) stay placeholders, of which a warning says so.
Source: the schemas of modelcontextprotocol/registry (2025-12-11) and MANIFEST.md of modelcontextprotocol/mcpb (0.4).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from inspector.config.importers.server_entry import scalar_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from inspector.wire.json_codec import Json, JsonObject

RUNNERS = {
    "npm": ("npx", "-y"),
    "pypi": ("uvx",),
    "oci": ("docker", "run", "-i", "--rm"),
    "nuget": ("dnx",),
}
"""The program that starts a package of each registry, with the arguments that always come first."""

BUNDLE_RUNNERS = {"node": "node", "python": "python", "uv": "uv"}
"""The program that starts the entry point of a bundle of each type, where its manifest does not say how."""

VERSION_SEPARATOR = {"npm": "@", "pypi": "==", "oci": ":", "nuget": "@"}


def manifest_kind(value: JsonObject) -> str:
    """Return what a document is: "an MCP registry server.json" and so on; empty for anything else."""
    if any(_registered(value)):
        return "an MCP registry server.json"
    if "manifest_version" in value or "dxt_version" in value:
        return "an MCPB manifest"
    if isinstance(value.get("registry"), dict):
        return "a Docker MCP catalog"
    return ""


def manifest_entries(value: JsonObject) -> list[tuple[str, JsonObject]]:
    """Return the entries of a manifest, each with its name."""
    kind = manifest_kind(value)
    if kind.startswith("an MCPB"):
        return list(_bundle(value))
    if kind.startswith("a Docker"):
        return list(_catalog(value))
    return list(_registry(value)) if kind else []


def _registered(value: JsonObject) -> Iterator[JsonObject]:
    """Return each server.json in a document: the document itself, or those in a response of a registry."""
    for item in (value, *_objects(value.get("servers"))):
        server = item.get("server")
        for inner in (item, server):
            if isinstance(inner, dict) and any(
                isinstance(inner.get(key), list) for key in ("packages", "remotes")
            ):
                yield inner


def _registry(value: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    for server in _registered(value):
        name = scalar_text(server.get("name")).rsplit("/", 1)[-1]
        for package in _objects(server.get("packages")):
            if entry := _package(_camel(package)):
                yield name, entry
        for remote in _objects(server.get("remotes")):
            yield name, _remote(_camel(remote))


def _package(package: JsonObject) -> JsonObject | None:
    kind = scalar_text(package.get("registryType"))
    transport = package.get("transport")
    if isinstance(transport, dict) and scalar_text(transport.get("url")):
        return _remote(_camel(transport))
    hint = scalar_text(package.get("runtimeHint"))
    runner = RUNNERS.get(kind, (hint,) if hint else ())
    if not runner:
        return None
    before = _arguments(package.get("runtimeArguments"))
    if not hint or hint == runner[0]:
        fixed = [arg for arg in runner[1:] if arg not in before]
        command, before = runner[0], [*fixed, *before]
    else:
        command = hint
    variables = _inputs(package.get("environmentVariables"))
    if kind == "oci":
        before += [part for name in variables for part in ("-e", name)]
    target = _versioned(
        kind, scalar_text(package.get("identifier")), scalar_text(package.get("version"))
    )
    args: list[Json] = [*before, target, *_arguments(package.get("packageArguments"))]
    return {"command": command, "args": args, "env": dict[str, "Json"](variables)}


def _versioned(kind: str, identifier: str, version: str) -> str:
    separator = VERSION_SEPARATOR.get(kind, "@")
    has_version = separator in identifier.rsplit("/", 1)[-1]
    return identifier if has_version or not version else f"{identifier}{separator}{version}"


def _arguments(value: Json) -> list[str]:
    """Return `runtimeArguments` or `packageArguments` as arguments of a program."""
    args: list[str] = []
    for argument in map(_camel, _objects(value)):
        name = scalar_text(argument.get("name"))
        text = _input_text(argument, scalar_text(argument.get("valueHint")) or name.lstrip("-"))
        if argument.get("type") == "named":
            args.append(name)
            has_value = any(
                key in argument for key in ("value", "default", "valueHint", "isRequired")
            )
            args += [text] if has_value else []
        elif text:
            args.append(text)
    return args


def _inputs(value: Json) -> dict[str, str]:
    """Return variables or headers by name: their value, else a placeholder if the value is required."""
    inputs: dict[str, str] = {}
    for item in map(_camel, _objects(value)):
        name = scalar_text(item.get("name"))
        text = _input_text(item, name)
        if item.get("isRequired") is True or not text.startswith("<"):
            inputs[name] = text
    return inputs


def _input_text(item: JsonObject, hint: str) -> str:
    for key in ("value", "default"):
        if item.get(key) is not None:
            return scalar_text(item[key])
    return f"<{re.sub(r'[^A-Za-z0-9_. -]', '_', hint) or 'value'}>"


def _remote(remote: JsonObject) -> JsonObject:
    entry: JsonObject = {"type": remote.get("type"), "url": remote.get("url")}
    if headers := _inputs(remote.get("headers")):
        entry["headers"] = dict[str, "Json"](headers)
    return entry


def _bundle(value: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    server = value.get("server")
    config = server.get("mcp_config") if isinstance(server, dict) else None
    if isinstance(config, dict):
        entry = {key: config[key] for key in ("command", "args", "env") if key in config}
        yield scalar_text(value.get("name")), entry
    elif isinstance(server, dict) and (start := scalar_text(server.get("entry_point"))):
        runner = BUNDLE_RUNNERS.get(scalar_text(server.get("type")), "")
        path = f"${{__dirname}}/{start}"
        args: list[Json] = [path] if runner else []
        yield scalar_text(value.get("name")), {"command": runner or path, "args": args}


def _catalog(value: JsonObject) -> Iterator[tuple[str, JsonObject]]:
    servers = value.get("registry")
    for name, server in servers.items() if isinstance(servers, dict) else ():
        if not isinstance(server, dict):
            continue
        remote = server.get("remote")
        if isinstance(remote, dict):
            yield (
                name,
                {
                    "type": remote.get("transport_type"),
                    "url": remote.get("url"),
                    "headers": remote.get("headers"),
                },
            )
        elif image := scalar_text(server.get("image")):
            yield name, _container(server, image)


def _container(server: JsonObject, image: str) -> JsonObject:
    env = {
        scalar_text(item.get("name")): scalar_text(item.get("value"))
        for item in _objects(server.get("env"))
    }
    for secret in _objects(server.get("secrets")):
        name = scalar_text(secret.get("env")) or scalar_text(secret.get("name"))
        env[name] = f"<{scalar_text(secret.get('name')) or name}>"
    command = server.get("command")
    after = [scalar_text(arg) for arg in command] if isinstance(command, list) else []
    volumes = server.get("volumes")
    mounts = [
        part
        for volume in (volumes if isinstance(volumes, list) else [])
        for part in ("-v", scalar_text(volume))
    ]
    names = [part for name in env for part in ("-e", name)]
    args: list[Json] = ["run", "-i", "--rm", *mounts, *names, image, *after]
    return {"command": "docker", "args": args, "env": dict[str, "Json"](env)}


def _objects(value: Json) -> list[JsonObject]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _camel(value: JsonObject) -> JsonObject:
    """Return an object with the key spelling used since 2025-09-16 (`registryType` for `registry_type`)."""
    return {
        re.sub(r"_(\w)", lambda found: found[1].upper(), key): item for key, item in value.items()
    }
