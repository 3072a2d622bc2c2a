"""What builds, shows and drives the extension. Nothing here is in the package."""
