"""Requests of servers that wait for the user.

requests_badge   the badge in the header: their number, and how long the oldest has waited
popover          the list over the window, below the badge
panel            the list in a dock, and a way to reject all
cards            the column of cards in both
card             one request
"""
