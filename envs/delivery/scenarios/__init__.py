"""Scenario families of the delivery domain."""
