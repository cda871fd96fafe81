//! Every rule, one file each, in the order of the docs.

mod additive_but_destructive;
mod input_not_an_object;
mod read_only_but_dangerous;
mod speculation_safe_but_mutating;
mod undeclared_event;

use super::Rule;

/// Every rule, in the order of the docs.
pub static RULES: &[&Rule] = &[
    // Facts that contradict each other.
    &speculation_safe_but_mutating::RULE,
    &read_only_but_dangerous::RULE,
    &additive_but_destructive::RULE,
    &input_not_an_object::RULE,
    &undeclared_event::RULE,
];
