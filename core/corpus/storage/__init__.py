"""What lies in the folder of a corpus.

`manifest` says what is published, `layers` which vectors are kept, `columns` gives each column of the
texts a name and one type, `tables` names all columns and the order of rows, `store` reads and writes
them in LanceDB, and `filters` checks conditions over them.
"""
