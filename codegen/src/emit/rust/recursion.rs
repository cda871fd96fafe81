//! Makes recursive types finite: an alias that contains itself becomes a struct, and of each
//! circle of types that contain each other by value, one edge is boxed. In circles of shared
//! types, which stand in modules of their own, each edge is, so that no order of files matters.

use std::collections::{BTreeMap, BTreeSet};

use super::item::{Item, Kind, Ty};
use crate::model::circle::circular;

/// Rewrites `items` so that each has a size.
pub(super) fn make_finite(items: &mut [Item]) {
    let edges: Vec<Vec<usize>> = items
        .iter_mut()
        .map(|item| match item.kind {
            Kind::Alias(_) => named(item, true),
            Kind::Struct(_) | Kind::Newtype(_) | Kind::Strings { .. } | Kind::Union(_) => {
                Vec::new()
            }
        })
        .collect();
    for (from, at) in back_edges(&edges) {
        let target = edges.get(from).and_then(|edges| edges.get(at));
        if let Some(item) = target.and_then(|target| items.get_mut(*target))
            && let Kind::Alias(ty) = &mut item.kind
        {
            item.kind = Kind::Newtype(std::mem::replace(ty, Ty::Unit));
        }
    }

    let edges: Vec<Vec<usize>> = items.iter_mut().map(|item| named(item, false)).collect();
    let mut boxed = back_edges(&edges);
    // The last first: a boxed edge is no longer counted.
    boxed.sort_unstable_by(|a, b| b.cmp(a));
    for (from, at) in boxed {
        let mut nth = at;
        for slot in items.get_mut(from).into_iter().flat_map(Item::slots) {
            if let Some(ty) = nth_named(slot, false, &mut nth) {
                let inner = std::mem::replace(ty, Ty::Unit);
                *ty = Ty::Boxed(Box::new(inner));
                break;
            }
        }
    }
}

/// Rewrites the items of shared types, by name, so that each has a size whatever shared types they
/// name.
pub(super) fn make_shared_finite(shared: &mut BTreeMap<String, Vec<Item>>) {
    for (from, to) in on_circles(shared, true) {
        for item in shared.get_mut(&from).into_iter().flatten() {
            if let Kind::Alias(ty) = &mut item.kind
                && shared_in(ty, true).contains(&to)
            {
                item.kind = Kind::Newtype(std::mem::replace(ty, Ty::Unit));
            }
        }
    }
    for (from, to) in on_circles(shared, false) {
        let items = shared.get_mut(&from).into_iter().flatten();
        for slot in items.flat_map(Item::slots) {
            box_shared(slot, &to);
        }
    }
}

/// The edges among shared types that lie on a circle: of aliases, or of what is contained by value.
fn on_circles(shared: &mut BTreeMap<String, Vec<Item>>, aliases: bool) -> Vec<(String, String)> {
    let edges: BTreeMap<&str, BTreeSet<String>> = shared
        .iter_mut()
        .map(|(name, items)| {
            let wanted = |item: &&mut Item| !aliases || matches!(item.kind, Kind::Alias(_));
            let slots = items.iter_mut().filter(wanted).flat_map(Item::slots);
            let named = slots.flat_map(|slot| shared_in(slot, aliases)).collect();
            (name.as_str(), named)
        })
        .collect();
    circular(&edges)
        .into_iter()
        .flat_map(|(from, to)| to.into_iter().map(move |to| (from.clone(), to)))
        .collect()
}

/// The shared types that `ty` names; those behind a pointer only when `behind`.
fn shared_in(ty: &Ty, behind: bool) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![ty];
    while let Some(ty) = open.pop() {
        match ty {
            Ty::Shared(name) => {
                found.insert(name.clone());
            }
            Ty::Option(inner) => open.push(inner),
            Ty::Vec(inner) | Ty::Map(inner) | Ty::Boxed(inner) if behind => open.push(inner),
            Ty::Tuple(items) => open.extend(items),
            _ => {}
        }
    }
    found
}

fn box_shared(ty: &mut Ty, name: &str) {
    let mut open = vec![ty];
    while let Some(ty) = open.pop() {
        match ty {
            Ty::Shared(named) if named == name => {
                let inner = std::mem::replace(ty, Ty::Unit);
                *ty = Ty::Boxed(Box::new(inner));
            }
            Ty::Option(inner) => open.push(inner),
            Ty::Tuple(items) => open.extend(items),
            _ => {}
        }
    }
}

/// The items that `item` contains, in order; those behind a pointer only when `behind`.
fn named(item: &mut Item, behind: bool) -> Vec<usize> {
    let mut found = Vec::new();
    for slot in item.slots() {
        let mut at = 0;
        loop {
            let mut nth = at;
            let Some(Ty::Named(target)) = nth_named(slot, behind, &mut nth) else {
                break;
            };
            found.push(*target);
            at += 1;
        }
    }
    found
}

/// The `nth` item that `ty` names; counts down past those before it.
fn nth_named<'t>(ty: &'t mut Ty, behind: bool, nth: &mut usize) -> Option<&'t mut Ty> {
    match ty {
        Ty::Named(_) => match nth.checked_sub(1) {
            None => Some(ty),
            Some(left) => {
                *nth = left;
                None
            }
        },
        Ty::Option(inner) => nth_named(inner, behind, nth),
        Ty::Vec(inner) | Ty::Map(inner) | Ty::Boxed(inner) if behind => {
            nth_named(inner, behind, nth)
        }
        Ty::Tuple(items) => items
            .iter_mut()
            .find_map(|item| nth_named(item, behind, nth)),
        Ty::Vec(_)
        | Ty::Map(_)
        | Ty::Boxed(_)
        | Ty::Value
        | Ty::Unit
        | Ty::Bool
        | Ty::I64
        | Ty::U64
        | Ty::F64
        | Ty::Number
        | Ty::String
        | Ty::JsonMap
        | Ty::Shared(_) => None,
    }
}

/// The edges that lead back to where a walk from the first node on came from, each as its node and
/// its place among the node's edges: taking them out leaves no circle. Iterative.
fn back_edges(edges: &[Vec<usize>]) -> Vec<(usize, usize)> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; edges.len()];
    let mut back = Vec::new();
    for start in 0..edges.len() {
        if states.get(start) != Some(&State::New) {
            continue;
        }
        let mut path = vec![(start, 0)];
        if let Some(state) = states.get_mut(start) {
            *state = State::Open;
        }
        while let Some((node, next)) = path.last_mut() {
            let (from, at) = (*node, *next);
            *next += 1;
            let target = edges.get(from).and_then(|edges| edges.get(at)).copied();
            let Some(target) = target else {
                path.pop();
                if let Some(state) = states.get_mut(from) {
                    *state = State::Done;
                }
                continue;
            };
            match states.get_mut(target) {
                Some(State::Open) => back.push((from, at)),
                Some(state @ State::New) => {
                    *state = State::Open;
                    path.push((target, 0));
                }
                Some(State::Done) | None => {}
            }
        }
    }
    back
}

#[cfg(test)]
mod tests {
    use super::{
        super::item::{Body, Field, Presence},
        *,
    };

    fn item(name: &str, kind: Kind) -> Item {
        Item {
            name: name.to_owned(),
            doc: Vec::new(),
            kind,
        }
    }

    fn body(types: Vec<Ty>) -> Kind {
        let fields = types.into_iter().map(|ty| Field {
            ident: String::new(),
            wire: String::new(),
            doc: None,
            ty,
            presence: Presence::Required,
            default: None,
        });
        Kind::Struct(Body {
            fields: fields.collect(),
            rest: None,
        })
    }

    fn option(at: usize) -> Ty {
        Ty::Option(Box::new(Ty::Named(at)))
    }

    fn boxed(at: usize) -> Ty {
        Ty::Option(Box::new(Ty::Boxed(Box::new(Ty::Named(at)))))
    }

    #[test]
    fn each_circle_is_boxed_where_it_closes() {
        let mut items = [
            item("A", body(vec![option(0), option(1), option(0)])),
            item("B", body(vec![option(1), option(2), option(0)])),
            item("C", body(vec![Ty::Vec(Box::new(Ty::Named(0)))])),
        ];
        make_finite(&mut items);
        let slots = |item: &mut Item| -> Vec<Ty> {
            item.slots().into_iter().map(|ty| ty.clone()).collect()
        };
        let [a, b, c] = &mut items;
        assert_eq!(slots(a), [boxed(0), option(1), boxed(0)]);
        assert_eq!(slots(b), [boxed(1), option(2), boxed(0)]);
        assert_eq!(slots(c), [Ty::Vec(Box::new(Ty::Named(0)))]);
    }

    #[test]
    fn an_alias_of_itself_becomes_a_struct() {
        let mut items = [
            item("Tree", Kind::Alias(Ty::Vec(Box::new(Ty::Named(1))))),
            item("Trees", Kind::Alias(Ty::Vec(Box::new(Ty::Named(0))))),
        ];
        make_finite(&mut items);
        assert!(matches!(items[0].kind, Kind::Newtype(_)));
        assert!(matches!(items[1].kind, Kind::Alias(_)));
    }
}
