//! References: constants of the module, imports of shared types, and recursion, which has no constant
//! to name while it is being written.

use serde_json::Value;
use toolcontract_schema::{normal::Target, vocabulary::asks_nothing};

use super::{
    expr::Expr,
    node::{Node, Place, describe, matches},
    read::Reader,
};
use crate::{emit::oxagen::ts, model::names};

/// A definition that was met: its constant, and whether it is still being read.
pub(super) struct Definition {
    constant: String,
    open: bool,
    /// The predicate that stands for it inside itself.
    predicate: Option<String>,
}

impl Reader<'_, '_> {
    /// A constant, imported or of this module, with what stands beside the reference.
    pub(super) fn reference(&mut self, reference: &str, node: &Node, place: &Place) -> Expr {
        let expr = self.definition(reference, place);
        let mut rest = node.clone();
        rest.shift_remove("$ref");
        let asks = rest
            .keys()
            .any(|keyword| !asks_nothing(keyword) && keyword != "$defs");
        let expr = describe(expr, &rest);
        if !asks {
            return expr;
        }
        let rest = Value::Object(rest);
        let check = self.hoist(&rest, "rule", place);
        expr.refine(check, ts::string(&matches(&rest, &[])))
    }

    fn definition(&mut self, reference: &str, place: &Place) -> Expr {
        let target = Target::of(reference);
        let name = target.as_ref().and_then(Target::name);
        if let Some(shared) = name.and_then(|name| self.shared_type(name)) {
            return shared;
        }
        match self.definitions.get(reference) {
            Some(known) if !known.open => return Expr::name(&known.constant),
            Some(_) => return self.recursion(reference, place),
            None => {}
        }
        let stem = name.unwrap_or("whole");
        let Some(schema) = target.as_ref().and_then(|t| t.within(self.root_of())) else {
            return Expr::plain("unknown()");
        };
        let constant = self.module.allocate(&names::camel(stem));
        let open = Definition {
            constant: constant.clone(),
            open: true,
            predicate: None,
        };
        self.definitions.insert(reference.to_owned(), open);
        let expr = self.read(
            schema,
            &Place {
                path: constant.clone(),
                depth: place.depth + 1,
            },
        );
        self.module.constant(&constant, &expr);
        if let Some(definition) = self.definitions.get_mut(reference) {
            definition.open = false;
            if let Some(predicate) = &definition.predicate {
                self.module.statement(format!(
                    "function {predicate}(v: unknown): boolean {{\n  return {constant}.safeParse(v).success;\n}}"
                ));
            }
        }
        Expr::name(constant)
    }

    /// A shared type by its import, unless it leads back to the module that asks.
    fn shared_type(&mut self, key: &str) -> Option<Expr> {
        let reference = self.shared.get(key)?;
        let known = self.module.shared.get(reference)?;
        if let Some(own) = self.module.own {
            let goes_back = known.source.schema.normal.shared.values().any(|r| r == own);
            if own == reference || goes_back {
                return None;
            }
        }
        let from = format!("{}/{}", self.module.shared_folder, known.stem);
        let constant = known.constant.clone();
        Some(Expr::name(self.module.import(&from, &constant)))
    }

    /// Inside itself a definition is a predicate: Oxagen's converters know no `z.lazy`.
    fn recursion(&mut self, reference: &str, place: &Place) -> Expr {
        let Some(constant) = self.definitions.get(reference).map(|d| d.constant.clone()) else {
            return Expr::plain("unknown()");
        };
        let known = self
            .definitions
            .get(reference)
            .and_then(|d| d.predicate.clone());
        let predicate = known.unwrap_or_else(|| {
            self.module
                .allocate(&format!("is{}", names::pascal(&constant)))
        });
        if let Some(definition) = self.definitions.get_mut(reference) {
            definition.predicate = Some(predicate.clone());
        }
        self.module.note(
            &place.path,
            "recursion is checked when it runs and has the type `unknown`",
        );
        let message = ts::string(&format!("Not what `{constant}` says."));
        Expr::plain("unknown()").refine(format!("{predicate}(v)"), message)
    }
}
