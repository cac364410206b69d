"""Requests of servers that wait for the user: the list, and its rows.

panel      the list
inbox_row  one request in it
"""
