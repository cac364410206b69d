"""Qt item models over engine data. They hold no second copy of it: text is made when a view asks."""
