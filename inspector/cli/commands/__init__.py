"""The commands of the command line, one file each; `command.py` lists them and says what each file offers."""
