"""SWI-Prolog, through janus: `search` makes every call to it, `instances` is for any problem."""
