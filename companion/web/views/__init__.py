"""Which address shows or does what? One module a page of the tablet, each with its `ROUTES`."""
