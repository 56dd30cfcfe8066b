"""Commands that try judges and rewards."""
