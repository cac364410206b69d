"""The standard screens, drawn into `build/shots/`: every scene in all themes, and in light and dark at 200% text.

`make shots` draws them all, `make shots ARGS="connected --themes light --sizes 1280x720 --scales 1,2"` some; look at each before saying
that a visible thing is finished.

    scenes   the scenes, in the order in which they are drawn
    stage    a real application on an invisible screen, and a camera
    options  in which themes, sizes and text scales they are drawn
    look     every part of the design on one page
"""
