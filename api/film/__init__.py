"""A filmed table: frames come from a source, events are kept as they are found, and pictures are made of the events."""
