"""Bytes to frames and events to bytes: everything that knows what a record looks like, and nothing that knows where it goes."""
