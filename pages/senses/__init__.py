"""Senses: one word in up to 10,000 sentences.

Here belong the sentences that are measured (`query`), the work in a thread of its own (`job`,
`progress`), and the pictures of the answer (`sections`).
"""
