//~ E0599
//! No default makes a builder.
use toolcontract_runtime::registry::Builder;

pub fn build() -> Builder {
    Builder::default()
}
