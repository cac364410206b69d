"""What a user can do with a server; one file a feature. Features do not know each other.

client_capabilities   the capabilities that the client declares, and the choices of the user
client_tasks          requests of the server that run as tasks on our side
completion            suggestions while an argument is typed
compose               writing messages: what the revision prescribes of their text, and how a text is sent
elicitation           responds to `elicitation/create`: forms to fill in and URLs to visit
logs                  the server's log: which level was asked for, and which frames hold its messages
message_templates     messages to begin with: one for every method, and frames that break a rule
ping                  asking whether the server is there, and how far away: once, or every so often until the session ends
prompts               the prompts of a server: their list, and the requests for them in this session
raw                   sending any text as a frame, valid or not, to see what the server does with it
repeat                sending a message again, edited or not: its new id, what was changed in it, what differs in the result
repeated_sends        sending one message many times, and how long the responses took
resources             the resources and resource templates of a server: their lists, and the reads made in this session
roots                 the roots of one server: edited by the user, returned by `roots/list`, announced when they change
sampling              responds to `sampling/createMessage`: every request waits for the user, unless an automatic response is set
subscriptions         being told when a resource changes: subscribe, unsubscribe, and the updates that came
task_persistence      saves the open tasks of a server, and takes them up again in the next session, also after a restart of Spyglass
tasks                 the tasks that the server runs in one session, and what the user can do with them
tools                 the tools of a server: their list, kept fresh, and the calls made in this session
"""
