echo run >> runs
