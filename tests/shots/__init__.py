"""The standard screens, drawn into `build/shots/`: every scene in light and dark, at 100% and 200% text.

`make shots` draws them all; look at each before saying that a visible thing is finished.
"""
