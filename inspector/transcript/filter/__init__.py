"""The filter language of the traffic: parsing, suggestions, and what a filter selects."""
