"""The code of the commands, a file for each topic; `command.py` lists them."""
