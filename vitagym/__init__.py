"""vitagym: a Gymnasium suite for agents that use tools and talk with people. This module is the whole public face."""
