"""The English corpus that comes with Polysee, written by its language model: how it was made.

`starts.txt` holds beginnings of ours: a word of several meanings, in a few words that say which.
`starts` makes tasks of them, `writing` has SmolLM2 continue each, `cleaning` keeps what can be read:

    python -m tools.written_corpus write RAW.jsonl   # about half an hour; goes on where it stopped
    python -m tools.written_corpus keep RAW.jsonl    # writes core/corpus/written.tsv.gz
    python -m tools.written_corpus write RAW2.jsonl --part 2  # more of some words, `more_starts.txt`
    python -m tools.written_corpus add RAW2.jsonl    # puts these behind those that are there
"""
