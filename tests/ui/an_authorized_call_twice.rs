//~ E0599
//! A permission is spent once.
use toolcontract_runtime::call::AuthorizedCall;

pub fn twice(call: AuthorizedCall) -> (AuthorizedCall, AuthorizedCall) {
    (call.clone(), call)
}
