"""Rules over the transcript and the specification that yield findings. One rule, one function."""
