"""What the server logs: the level that is asked for, the messages as rows, and one of them whole."""
