"""Scenario families of the in-store domain."""
