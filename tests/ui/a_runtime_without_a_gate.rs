//~ E0061
//! There is no runtime without a gate.
use toolcontract_runtime::registry::Registry;

pub fn build() {
    let _ = Registry::builder();
}
