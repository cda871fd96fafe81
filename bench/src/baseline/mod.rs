//! What a figure stands beside: other generators on the same schemas, and what no generator beats.

pub mod floor;
pub mod packages;
pub mod peers;
pub mod typify;
