"""The faces: terminal, later service and browser."""
