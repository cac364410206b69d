"""Requests for a model's answer: what was asked, and the editor of the answer."""
