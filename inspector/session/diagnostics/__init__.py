"""Why a server cannot be reached or does not respond: the reason as a clause, the hint, and the frame that shows it.

Map
    server_output       what the transcript has of a server: lines, statuses, notes
    known_mistakes      well-known mistakes, recognized by their text
    cause_lines         the line of an output that names the cause of a failure
    code_causes         what runtimes say about the code of a program
    tool_causes         what containers, package managers and version managers say
    exit_causes         why the process of a server ended, recognized by its output
    unusable_responses  what came instead of a response
    silence             what came instead of a response
    no_response         a request without a response in time
    earlier_results     what the server returned before in the session
    refusals            an error response to a request
    process_exit        a process that ended
    connect_failures    the cause of a failed connection, completed in its step
"""
