//~ E0277
//! Nothing that is optional is a gate.
use toolcontract_runtime::{authz::NoAuthz, registry::Registry};

pub fn build() {
    let _ = Registry::builder(None::<NoAuthz>);
}
