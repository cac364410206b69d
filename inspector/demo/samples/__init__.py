"""What is inside the content blocks: made in code, nothing is read from files."""
