//~ E0603
//! Nobody makes an authorized call but the fold, and what it makes it with is out of reach.
pub use toolcontract_runtime::call::authorize::authorize;
