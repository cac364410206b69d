"""Requests for input of the person: a form to fill in, or a page to visit."""
