//! The wire surface.
