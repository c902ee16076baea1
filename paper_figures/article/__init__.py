"""The article: what came out, paper by paper, typeset from the committed evidence (`make article`)."""
