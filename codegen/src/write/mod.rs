//! The only door to the disk: writes what differs, atomically, or reports drift.
