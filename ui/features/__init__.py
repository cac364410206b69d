"""One folder per feature; none imports another."""
