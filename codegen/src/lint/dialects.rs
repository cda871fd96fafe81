//! The provider dialects that the project asks for.

use std::collections::BTreeSet;

use toolcontract_manifest::project::Dialect;

use super::catalog::Catalog;

/// What the providers of the project say against something, in one sentence; none when all of
/// them take it.
pub(super) fn refusal(
    catalog: &Catalog<'_>,
    refused: impl Fn(Dialect) -> Option<&'static str>,
) -> Option<String> {
    let advertised = catalog.project.surfaces.advertised.as_ref();
    // Two dialects of one provider say the same.
    let said: BTreeSet<&str> = advertised
        .into_iter()
        .flat_map(|surface| &surface.dialects)
        .filter_map(|dialect| refused(*dialect))
        .collect();
    let said: Vec<&str> = said.into_iter().collect();
    (!said.is_empty()).then(|| said.join("; "))
}
