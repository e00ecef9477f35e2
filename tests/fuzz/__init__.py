"""Fuzzing of every reader, outside the gate: `python -m tests.fuzz --minutes 10 --out DIR`.

Texts that our writers and the tests' fixtures make (and, where it stands beside the repository, the folder of real
game records) are damaged and read; `target` says what must hold. pytest collects nothing here.
"""
