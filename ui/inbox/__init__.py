"""Requests of servers that wait for the user: the list of them, and one row of it.

panel      the list
inbox_row  one request in it
"""
