//~ E0451
//! A caller is made by a surface.
use toolcontract_runtime::{caller::Caller, protocol::Principal};

pub fn forge(caller: Caller) -> Caller {
    Caller { principal: Principal::User, ..caller }
}
