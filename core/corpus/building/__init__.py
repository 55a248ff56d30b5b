"""Texts become a corpus, and leave it again.

`build` is the whole of it: it has texts read, embedded (`embed`) part by part (`parts`), and published
as one version (`publishing`). `deleting` takes texts out, `shared` builds one corpus for all processes
of a machine, and `progress` says how far a build is.
"""
