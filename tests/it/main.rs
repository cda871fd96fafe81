//! Every test that crosses a crate. One binary, a module for each area; `README.md` beside this
//! folder says where a case goes.

mod docs;
