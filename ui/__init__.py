"""The window: Qt widgets over the engine, which knows nothing of them.

    __main__ app     the composition root, the only place where objects are wired together: first `opening`, the frame of the
    opening rooms    window, then the engine, then what fills the frame, and last the `rooms`, which are the pages
    aio              the event loop: tasks owned by widgets, and the one import of qasync
    bind             engine events tied to the life of a QObject
    errors           the one place where unexpected errors end
    collector        garbage collection in the thread of the window
    page             what every feature's screen has in common
    imports          importing, without what PySide does to it
    focus         where the focus goes when its widget goes
    tab_order        Tab through widgets in the order that is seen
    theme/           every colour, size, font and icon by name
    widgets/         parts that know nothing of the protocol
    models/          Qt item models over engine data
    render/          how a content block is drawn; falls back to raw
    sheet            what every dialog that answers a question of a server has in common
    request/         what every page that asks a server for one thing has in common
    features/        one folder per feature, none imports another
    traffic/ connect/ inbox/ shell/

No nested event loops: `open()` and `popup()` only. Text from a server is shown as plain text everywhere.
"""
