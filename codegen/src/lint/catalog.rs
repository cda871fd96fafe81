//! The model as rules see it, with what many of them look at worked out once.

use std::ops::Deref;

use crate::model::Model;

/// The model and what follows from it.
#[derive(Debug)]
pub struct Catalog<'a> {
    model: &'a Model,
}

impl<'a> Catalog<'a> {
    /// Works out what rules share.
    #[must_use]
    pub fn new(model: &'a Model) -> Self {
        Self { model }
    }
}

impl Deref for Catalog<'_> {
    type Target = Model;

    fn deref(&self) -> &Model {
        self.model
    }
}
