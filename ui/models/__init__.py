"""Qt item models over engine data. They keep no copy: text is made when a view asks."""
