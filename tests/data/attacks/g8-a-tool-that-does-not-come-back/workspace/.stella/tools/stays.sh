echo run >> runs
touch started
sleep 600
