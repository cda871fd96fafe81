//! How a tool stands, as the ledger and the tool are now.

use std::fmt;

use toolcontract_protocol::ToolContract;

use super::{Difference, Ledger, Pin};
use crate::text::one_line;

/// How a tool stands.
#[derive(Debug, Clone, PartialEq)]
pub enum Standing {
    /// A person adopted and enabled exactly this. Its contract with the grade, and the digest of
    /// the pin.
    Adopted(Box<ToolContract>, String),
    /// Nobody has adopted it.
    Unadopted,
    /// It is adopted, and nobody has enabled it.
    Disabled,
    /// It is not what was adopted.
    Changed(Difference),
    /// A file that its command line names cannot be used.
    Unusable(String),
    /// The ledger cannot tell.
    Unknown(String),
}

/// How the tool of `contract`, which is `pin` now, stands in `ledger`.
#[must_use]
pub fn standing(ledger: &Ledger, contract: &ToolContract, pin: &Pin) -> Standing {
    let entry = match ledger.find(&contract.name) {
        Ok(Some(entry)) => entry,
        Ok(None) => return Standing::Unadopted,
        Err(error) => return Standing::Unknown(error.to_string()),
    };
    if let Some(difference) = Difference::between(&entry.pin, pin) {
        return Standing::Changed(difference);
    }
    // The digest stands beside the pin: an entry of which only one was changed is none of ours.
    match pin.digest() {
        Some(digest) if digest == entry.digest && entry.enabled.is_some() => {
            let contract = entry.grade.apply(contract, &digest);
            Standing::Adopted(Box::new(contract), digest)
        }
        Some(digest) if digest == entry.digest => Standing::Disabled,
        _ => Standing::Unknown("the ledger's entry does not fit its digest".to_owned()),
    }
}

/// In a sentence; a difference follows line by line.
impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Adopted(..) => f.write_str("adopted"),
            Self::Unadopted => f.write_str("nobody has adopted it"),
            Self::Disabled => f.write_str("adopted, but nobody has enabled it"),
            Self::Changed(difference) => {
                write!(f, "it is not what was adopted:\n{difference}")
            }
            Self::Unusable(why) => write!(f, "its command cannot be used: {}", one_line(why, 300)),
            Self::Unknown(why) => write!(f, "how it stands cannot be told: {}", one_line(why, 300)),
        }
    }
}
