"""The raw page: any text as a frame."""
