"""The section that Compare and Heads share: what moved a word, and what if one thing is changed."""
