"""The prompts page: list, arguments and conversation."""
