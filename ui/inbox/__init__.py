"""Requests of servers that wait for the user.

panel   the list, and the rows in it
"""
