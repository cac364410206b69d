"""What is saved: profiles, the list of servers, settings and secrets; and reading what people paste.

No module here talks to a server. Folders are passed in; nothing decides where it writes by itself.
"""
