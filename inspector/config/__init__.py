"""What is saved: profiles, the list of servers, settings and secrets; and readers of configurations that users paste.

No module here talks to a server. The caller passes the folders; no module decides where it writes.
"""
