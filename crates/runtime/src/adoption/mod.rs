//! From a claim to trust: a person looks at a tool, gives it a grade and enables it, and from then
//! on exactly that tool may be relied on for what the grade says.
//!
//! What was looked at is pinned: the definition, the command line, the bytes of every file that it
//! names. The ledger lies outside the workspace, where no tool of the workspace writes. A tool
//! that is not what was pinned is withheld, and the difference is told; the pin never moves by
//! itself. Without a ledger everything is withheld.

mod admit;
mod difference;
mod gate;
mod grade;
mod known;
mod ledger;
mod pin;
mod pinned;
mod standing;

pub use admit::{Admission, Admitted, Terms, admit};
pub use difference::{Change, Difference};
pub use gate::Withheld;
pub use grade::Grade;
pub use ledger::{Adopted, Enabled, Ledger, LedgerError};
pub use pin::Pin;
pub use pinned::Pinned;
pub use standing::{Standing, standing};
