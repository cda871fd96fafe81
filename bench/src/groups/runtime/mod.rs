//! The runtime: what one call costs, what a decision costs, and what many of them do to memory.

mod call;
mod fold;
mod many;
pub mod percentile;
mod rmcp;

use super::Group;
use crate::{Failure, row::Row};

pub const GROUP: Group = Group {
    name: "runtime",
    about: "one governed call beside the bare function and beside rmcp; decisions, validation, journal; many tools and many calls",
    run,
};

fn run() -> Result<Vec<Row>, Failure> {
    let mut rows = call::rows()?;
    rows.extend(fold::rows()?);
    rows.extend(many::rows()?);
    Ok(rows)
}
