"""The command line: one module a command, each with `configure(parser)` and `run(args) -> exit
code`."""
