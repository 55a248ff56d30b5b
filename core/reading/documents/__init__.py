"""What has paragraphs: Word, PDF, HTML, XML, EPUB, Markdown, subtitles, CoNLL-U.

A reader takes what somebody wrote to be read, in the order of reading: headings, paragraphs, items of
lists and cells of tables, each a paragraph. It leaves out what a program added (navigation, scripts,
numbers of pages, running heads), what stands beside the text (comments, and footnotes where they can be
told), and code; it says how much of each it left out (`Report`). docs/files.md has the list.
"""
