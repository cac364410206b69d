"""Frames that are exported, through one dialog that shows what will be written.

targets.py   what can be exported, and to which files
dialog.py    the dialog: format, rows, secrets, preview, progress
"""
