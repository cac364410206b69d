"""What Spyglass is towards a server: what it declares, and what it answers without asking."""
