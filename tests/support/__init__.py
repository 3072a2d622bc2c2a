"""What the browser tests and the real-host tests share."""
