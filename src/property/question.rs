//! Properties by name, resolved to what can be violated.

use std::collections::BTreeMap;

use crate::base::{HashSet, IndexVec, Span};
use crate::program::{LocId, Program, SiteId, SiteKind, ThreadId, Undefined, VarId};

use super::expression::{Invariant, ParseError, parse_invariant};

/// A property by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PropertyKind {
    /// `assert`.
    Assert,
    /// `invariant:E`.
    Invariant(String),
    /// Undefined behaviour; always asked.
    Undefined,
    /// The bounds of the model; always asked.
    Bound,
    /// An operation that would block inside an atomic section; always asked.
    AtomicBlocked,
}

impl PropertyKind {
    /// The name in reports and on the command line.
    pub fn name(&self) -> String {
        match self {
            PropertyKind::Assert => "assert".into(),
            PropertyKind::Invariant(e) => format!("invariant:{e}"),
            PropertyKind::Undefined => "undefined".into(),
            PropertyKind::Bound => "bound-reached".into(),
            PropertyKind::AtomicBlocked => "atomic-blocked".into(),
        }
    }

    /// The property with this name, as the user writes it.
    ///
    /// # Errors
    /// A message that lists the names, if there is none.
    pub fn parse(name: &str) -> Result<Self, String> {
        match name.split_once(':') {
            None if name == "assert" => Ok(PropertyKind::Assert),
            Some(("invariant", e)) => Ok(PropertyKind::Invariant(e.trim().to_string())),
            _ => {
                Err(format!("no property `{name}`: there are `assert` and `invariant:EXPRESSION`"))
            }
        }
    }

    /// Whether the user did not ask for it: it is reported only when it is violated or open, and
    /// then no other property is safe.
    pub fn is_implicit(&self) -> bool {
        matches!(self, PropertyKind::Undefined | PropertyKind::Bound | PropertyKind::AtomicBlocked)
    }
}

/// How a target is violated.
#[derive(Clone, Debug)]
pub enum TargetKind {
    /// By an edge with one of these sites: one place of the source, in any thread instance.
    Sites(Vec<SiteId>),
    /// In a state where the invariant is false.
    Invariant(Invariant),
}

/// One thing that can be violated: it gets one bad signal and one verdict.
#[derive(Clone, Debug)]
pub struct Target {
    /// The property that it belongs to.
    pub property: PropertyKind,
    /// How it is violated.
    pub kind: TargetKind,
    /// Where it is, if it is at one place.
    pub span: Option<Span>,
    /// The condition or statement, or what is undefined there.
    pub text: String,
}

/// Everything that is asked of a program in one run.
#[derive(Clone, Debug)]
pub struct Question {
    /// The properties, those of the user first.
    pub properties: Vec<PropertyKind>,
    /// What can be violated, in the order of `properties`, then of source places.
    pub targets: Vec<Target>,
}

/// Resolves the user's properties and adds the implicit ones.
///
/// # Errors
/// If an invariant cannot be parsed or names something that the program does not have.
pub fn resolve(program: &Program, asked: &[PropertyKind]) -> Result<Question, ParseError> {
    let mut properties: Vec<PropertyKind> = vec![];
    let implicit = [PropertyKind::Undefined, PropertyKind::Bound, PropertyKind::AtomicBlocked];
    for p in asked.iter().chain(&implicit) {
        if !properties.contains(p) {
            properties.push(p.clone());
        }
    }
    let mut targets = vec![];
    for property in &properties {
        if let PropertyKind::Invariant(text) = property {
            let invariant = parse_invariant(program, text)?;
            targets.push(Target {
                property: property.clone(),
                kind: TargetKind::Invariant(invariant),
                span: None,
                text: text.clone(),
            });
            continue;
        }
        let mut places: BTreeMap<(Span, String), Vec<SiteId>> = BTreeMap::new();
        for (id, site) in program.sites.iter_enumerated() {
            if property_of(site.kind) == *property {
                places.entry((site.span, describe(site.kind, &site.text))).or_default().push(id);
            }
        }
        for ((span, text), sites) in places {
            targets.push(Target {
                property: property.clone(),
                kind: TargetKind::Sites(sites),
                span: Some(span),
                text,
            });
        }
    }
    Ok(Question { properties, targets })
}

/// The property that a site belongs to.
fn property_of(kind: SiteKind) -> PropertyKind {
    match kind {
        SiteKind::Assertion => PropertyKind::Assert,
        SiteKind::Undefined(_) => PropertyKind::Undefined,
        SiteKind::Bound(_) => PropertyKind::Bound,
        SiteKind::AtomicBlocked => PropertyKind::AtomicBlocked,
    }
}

fn describe(kind: SiteKind, text: &str) -> String {
    let what = match kind {
        SiteKind::Assertion => return text.to_string(),
        SiteKind::Undefined(Undefined::InvalidDereference) => "invalid dereference",
        SiteKind::Undefined(Undefined::OutOfBounds) => "index out of bounds",
        SiteKind::Undefined(Undefined::DivisionByZero) => "division by zero or overflow",
        SiteKind::Undefined(Undefined::MutexMisuse) => "mutex misuse",
        SiteKind::Undefined(Undefined::InvalidFree) => "no living object of the heap",
        SiteKind::Undefined(Undefined::InvalidThread) => "not a thread that can be joined",
        SiteKind::Undefined(Undefined::MissingReturn) => "missing return value",
        SiteKind::Bound(crate::program::Bound::Threads) => {
            "more thread instances needed (--threads N)"
        }
        SiteKind::Bound(crate::program::Bound::Recursion) => "deeper recursion (--recursion N)",
        SiteKind::Bound(crate::program::Bound::Heap) => "more heap objects (--heap-per-site N)",
        SiteKind::Bound(crate::program::Bound::ArrayLength) => "a longer array",
        SiteKind::AtomicBlocked => "blocks inside an atomic section",
    };
    format!("{what}: {text}")
}

impl Question {
    /// The variables that invariants look at in every state.
    pub fn observed_vars(&self) -> Vec<VarId> {
        let mut vars: Vec<VarId> = self.invariants().flat_map(|i| i.vars()).collect();
        vars.sort_unstable();
        vars.dedup();
        vars
    }

    /// The locations that invariants look at.
    pub fn observed_locs(&self, program: &Program) -> IndexVec<ThreadId, HashSet<LocId>> {
        let mut result = IndexVec::filled(HashSet::default(), program.threads.len());
        for (t, loc) in self.invariants().flat_map(|i| i.locations()) {
            result[t].insert(loc);
        }
        result
    }

    /// The invariants, in the order of their targets.
    pub fn invariants(&self) -> impl Iterator<Item = &Invariant> {
        self.targets.iter().filter_map(|t| match &t.kind {
            TargetKind::Invariant(i) => Some(i),
            TargetKind::Sites(_) => None,
        })
    }
}
