"""The window: Qt widgets over the engine, which knows nothing of them.

    __main__           starts `app`
    app                the composition root, the only place where objects are wired together
    startup            the bare main window, painted before the engine is imported
    shell/             main window, menus, command palette, docks, status bar
    traffic/           the page of the traffic in the bottom dock: table, filter, frame details
    timeline/          the page of the timeline in the bottom dock: spans of all requests by time, and how long they took
    problems/          the page of the problems in the bottom dock: what the rules found in the latest run
    export/            the dialog in which rows are exported
    connect/           the list of servers, the editor of a profile, the connection steps
    inbox/             server requests that wait for the user
    features/          one folder per page, none imports another
    inbox_dialog       base of every dialog that responds to a server request
    inbox_dialog_parts  the lines at its top
    inbox_texts        what is said of a request there and in the lists
    filtered_list      base of the lists of tools, prompts, resources and tasks
    list_page          base of their pages
    list_content       the list and its panels, side by side or one above the other
    list_layout        widths of columns for the size of window and text
    list_picker        the list as one line, which opens it
    request/           base of every panel that sends one request
    render/            turns content blocks into widgets; falls back to raw JSON
    models/            Qt item models over engine data
    widgets/           widgets that know nothing of the protocol
    theme/             every color, size, font and icon, by name
    pages              the pages, one row each
    page               base class of a page
    navigator          where a click can lead: a frame, a link, a resource, a task, another page
    bind               connects engine events to the life of a QObject
    aio                the event loop: background tasks owned by widgets, and the only import of qasync
    errors             where unexpected errors end
    override_errors    has errors in methods that Qt calls get there on Python 3.11
    focus              where the focus goes when its widget goes
    tab_order          Tab through widgets in visual order
    garbage_collector  collects garbage in the GUI thread only
    lazy_imports       imports modules without PySide's search of their names

No nested event loops: `open()` and `popup()` only. Text from a server is shown as plain text everywhere.
"""
