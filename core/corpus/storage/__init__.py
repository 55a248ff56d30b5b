"""What lies in the folder of a corpus.

`manifest` says what is published, `layers` which vectors are kept, `tables` names the columns and the
order of rows, `store` reads and writes them in LanceDB, and `filters` checks conditions over them.
"""
