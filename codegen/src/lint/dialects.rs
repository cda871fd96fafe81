//! The provider dialects that the project asks for.

use std::collections::BTreeSet;

use toolcontract_manifest::project::Dialect;

use super::catalog::Catalog;

/// What the providers of the project say against something; each sentence once, in order.
pub(super) fn refusals(
    catalog: &Catalog<'_>,
    refused: impl Fn(Dialect) -> Option<&'static str>,
) -> BTreeSet<&'static str> {
    let advertised = catalog.project.surfaces.advertised.as_ref();
    advertised
        .into_iter()
        .flat_map(|surface| &surface.dialects)
        .filter_map(|dialect| refused(*dialect))
        .collect()
}
