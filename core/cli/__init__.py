"""The command line, above everything else: it starts the app, and prints what `core` computes.

`main` reads the arguments and turns errors into sentences. `start` starts the app. `trace` and
`compare` are subcommands: each adds its arguments to the parser, and sets the function that runs it.
`checks` refuses texts and files that they cannot process.
"""
