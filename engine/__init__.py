"""Boards, pieces, rules, replay and scoring: numbers in, numbers out."""
