"""What tests share: bounded waits, guards, peers and the rules of shape."""
