printf '<%s>' "$STELLA_INPUT_TEXT" "$@"
