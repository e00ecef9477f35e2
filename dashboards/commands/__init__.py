"""The commands of the terminal, a module each; heavy imports wait until a command runs."""
