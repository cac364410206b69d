"""Getting prompts: list, arguments, and the conversation that comes of them."""
