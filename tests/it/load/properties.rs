//! What no input may do.
