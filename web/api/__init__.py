"""The HTTP API: handlers parse, submit and return; what they submit to is the session."""
