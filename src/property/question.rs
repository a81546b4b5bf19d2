//! Properties by name, resolved to what can be violated.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::base::{HashSet, IndexVec, Span};
use crate::program::contention::{Item, contended};
use crate::program::leak::Leak;
use crate::program::standstill::{Local, Standstill};
use crate::program::{Arithmetic, LocId, Program, SiteId, SiteKind, ThreadId, Undefined, VarId};

use super::expression::{Invariant, ParseError, parse_invariant};
use super::ltl::{Fairness, Ltl, parse_ltl};

/// A property by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PropertyKind {
    /// `assert`.
    Assert,
    /// `invariant:E`.
    Invariant(String),
    /// `ltl:F`, about the runs that are fair in this way.
    Ltl(Fairness, String),
    /// `race`.
    Race,
    /// `deadlock`.
    Deadlock,
    /// `deadlock:local`: no deadlock, and no threads that wait for ever while others may go on.
    LocalDeadlock,
    /// `lock-misuse`.
    LockMisuse,
    /// `overflow`.
    Overflow,
    /// `memory`.
    Memory,
    /// Undefined behaviour, as far as no other property is about it; always asked.
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
            PropertyKind::Ltl(fairness, f) => format!("{}:{f}", fairness.prefix()),
            PropertyKind::Race => "race".into(),
            PropertyKind::Deadlock => "deadlock".into(),
            PropertyKind::LocalDeadlock => "deadlock:local".into(),
            PropertyKind::LockMisuse => "lock-misuse".into(),
            PropertyKind::Overflow => "overflow".into(),
            PropertyKind::Memory => "memory".into(),
            PropertyKind::Undefined => "undefined".into(),
            PropertyKind::Bound => "bound-reached".into(),
            PropertyKind::AtomicBlocked => "atomic-blocked".into(),
        }
    }

    /// What the reports call it.
    pub fn title(&self) -> String {
        match self {
            PropertyKind::LocalDeadlock => PropertyKind::Deadlock.name(),
            other => other.name(),
        }
    }

    /// The property with this name, as the user writes it.
    ///
    /// # Errors
    /// A message that lists the names, if there is none.
    pub fn parse(name: &str) -> Result<Self, String> {
        let ltl = |prefix| Fairness::ALL.into_iter().find(|(_, p)| *p == prefix);
        if let Some((prefix, formula)) = name.split_once(':')
            && let Some((fairness, _)) = ltl(prefix)
        {
            return Ok(PropertyKind::Ltl(fairness, formula.trim().to_string()));
        }
        match name.split_once(':') {
            Some(("invariant", e)) => return Ok(PropertyKind::Invariant(e.trim().to_string())),
            _ => Self::NAMED.into_iter().find(|p| p.name() == name),
        }
        .ok_or_else(|| {
            let names: Vec<String> =
                Self::NAMED.iter().map(|p| format!("`{}`", p.name())).collect();
            format!(
                "no property `{name}`: there are {}, `invariant:EXPRESSION` and `ltl:FORMULA`",
                names.join(", ")
            )
        })
    }

    /// Those that the user asks for by nothing but their name.
    const NAMED: [Self; 7] = [
        Self::Assert,
        Self::Race,
        Self::Deadlock,
        Self::LocalDeadlock,
        Self::LockMisuse,
        Self::Overflow,
        Self::Memory,
    ];

    /// Whether a thread that violates it may stop there, so that nothing is known of what comes
    /// after: where it is not proved no other property is.
    pub fn hides_others(&self) -> bool {
        self.is_implicit() || matches!(self, Self::LockMisuse | Self::Overflow | Self::Memory)
    }

    /// Whether the user did not ask for it: it is reported only when it is violated or open, and
    /// then no other property is safe.
    pub fn is_implicit(&self) -> bool {
        self.is_bound() || matches!(self, PropertyKind::Undefined)
    }

    /// Whether its violation says nothing about the program but that a bound is too low for it.
    pub fn is_bound(&self) -> bool {
        matches!(self, PropertyKind::Bound | PropertyKind::AtomicBlocked)
    }
}

/// How a target is violated.
#[derive(Clone, Debug)]
pub enum TargetKind {
    /// By an edge with one of these sites: one place of the source, in any thread instance.
    Sites(Vec<SiteId>),
    /// In a state where the invariant is false.
    Invariant(Invariant),
    /// In a state in which two threads race for this ([`crate::program::contention`]).
    Race(Item),
    /// In a state in which no thread can move, one has not ended, the process has not ended, and
    /// no `assume` was false.
    Deadlock,
    /// In a state in which threads wait for ever, whatever others do.
    Local(Arc<Standstill>, Local),
    /// By a run that does not satisfy the formula. It is looked for on a circuit of its own.
    Ltl(Box<Ltl>),
    /// In a state in which the process ends while something of the heap is not freed.
    Leak(Leak),
}

impl TargetKind {
    /// Whether it is a temporal formula that is no invariant.
    pub fn is_formula(&self) -> bool {
        matches!(self, TargetKind::Ltl(_))
    }
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
/// If an invariant or formula cannot be parsed or names something that the program does not have.
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
        let mut of_state = |kind, text| {
            targets.push(Target { property: property.clone(), kind, span: None, text });
        };
        match property {
            PropertyKind::Invariant(text) => {
                of_state(TargetKind::Invariant(parse_invariant(program, text)?), text.clone());
            }
            PropertyKind::Ltl(fairness, text) => {
                let ltl = parse_ltl(program, text, *fairness)?;
                let kind = match ltl.as_invariant() {
                    Some(invariant) => TargetKind::Invariant(invariant),
                    None => TargetKind::Ltl(Box::new(ltl)),
                };
                of_state(kind, text.clone());
            }
            PropertyKind::Deadlock => {
                of_state(TargetKind::Deadlock, "no thread can move".into());
            }
            PropertyKind::LocalDeadlock => {
                of_state(TargetKind::Deadlock, "no thread can move".into());
                let found = Arc::new(Standstill::new(program));
                let local = |kind| TargetKind::Local(found.clone(), kind);
                of_state(local(Local::Cycle), "threads wait for each other".into());
                for &c in found.conditions() {
                    let text = format!("nobody can signal {}", condition_name(program, c));
                    of_state(local(Local::Hang(c)), text);
                }
            }
            PropertyKind::Race => {
                for item in contended(program) {
                    of_state(TargetKind::Race(item), item.name(program).into());
                }
            }
            PropertyKind::Memory => {
                if let Some(leak) = Leak::of(program) {
                    of_state(TargetKind::Leak(leak), "the process ends, not all is freed".into());
                }
            }
            PropertyKind::Assert
            | PropertyKind::LockMisuse
            | PropertyKind::Overflow
            | PropertyKind::Undefined
            | PropertyKind::Bound
            | PropertyKind::AtomicBlocked => {}
        }
        let mut places: BTreeMap<(Span, String), Vec<SiteId>> = BTreeMap::new();
        for (id, site) in program.sites.iter_enumerated() {
            if property_of(site.kind, asked) == Some(property.clone()) {
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

/// The name of a condition variable in C.
fn condition_name(program: &Program, waiters: VarId) -> &str {
    match program.vars[waiters].object {
        Some(o) if program.objects[o].leaves.len() == 1 => &program.objects[o].name,
        _ => &program.vars[waiters].name,
    }
}

/// The property that a site belongs to, if these are asked; none if it is of no interest.
fn property_of(kind: SiteKind, asked: &[PropertyKind]) -> Option<PropertyKind> {
    let special = match kind {
        SiteKind::Assertion => return Some(PropertyKind::Assert),
        SiteKind::Bound(_) => return Some(PropertyKind::Bound),
        SiteKind::AtomicBlocked => return Some(PropertyKind::AtomicBlocked),
        SiteKind::Relock | SiteKind::Undefined(Undefined::MutexMisuse) => PropertyKind::LockMisuse,
        SiteKind::Arithmetic(_) => PropertyKind::Overflow,
        SiteKind::Undefined(
            Undefined::InvalidDereference | Undefined::OutOfBounds | Undefined::InvalidFree,
        ) => PropertyKind::Memory,
        SiteKind::Undefined(_) => return Some(PropertyKind::Undefined),
    };
    match kind {
        _ if asked.contains(&special) => Some(special),
        SiteKind::Undefined(_) => Some(PropertyKind::Undefined),
        _ => None,
    }
}

fn describe(kind: SiteKind, text: &str) -> String {
    let what = match kind {
        SiteKind::Assertion => return text.to_string(),
        SiteKind::Undefined(Undefined::InvalidDereference) => "invalid dereference",
        SiteKind::Undefined(Undefined::OutOfBounds) => "index out of bounds",
        SiteKind::Undefined(Undefined::DivisionByZero) => "division by zero or overflow",
        SiteKind::Undefined(Undefined::MutexMisuse) => "lock misuse",
        SiteKind::Undefined(Undefined::InvalidFree) => "no living object of the heap",
        SiteKind::Undefined(Undefined::InvalidThread) => "not a thread that can be joined",
        SiteKind::Undefined(Undefined::InvalidArgument) => "invalid argument",
        SiteKind::Undefined(Undefined::MissingReturn) => "missing return value",
        SiteKind::Undefined(Undefined::Unreachable) => "unreachable code reached",
        SiteKind::Bound(crate::program::Bound::Threads) => {
            "more thread instances needed (--threads N)"
        }
        SiteKind::Bound(crate::program::Bound::Recursion) => "deeper recursion (--recursion N)",
        SiteKind::Bound(crate::program::Bound::Heap) => "more heap objects (--heap-per-site N)",
        SiteKind::Bound(crate::program::Bound::ArrayLength) => {
            "a longer array or more keys (--array-length N)"
        }
        SiteKind::AtomicBlocked => "blocks inside an atomic section",
        SiteKind::Relock => "takes again what it has",
        SiteKind::Arithmetic(Arithmetic::SignedOverflow) => "signed overflow",
        SiteKind::Arithmetic(Arithmetic::ShiftRange) => "shift out of range",
    };
    format!("{what}: {text}")
}

impl Question {
    /// Whether temporal formulas are asked that are no invariants.
    pub fn has_formulas(&self) -> bool {
        self.targets.iter().any(|t| t.kind.is_formula())
    }

    /// The variables that properties of states look at.
    pub fn observed_vars(&self) -> Vec<VarId> {
        let mut vars: Vec<VarId> = self.invariants().flat_map(|i| i.vars()).collect();
        vars.extend(self.leaks().flat_map(|l| l.heap.iter().map(|&(_, alive)| alive)));
        vars.extend(self.standstill().iter().flat_map(|s| s.vars()));
        vars.sort_unstable();
        vars.dedup();
        vars
    }

    /// The locations that properties of states look at.
    pub fn observed_locs(&self, program: &Program) -> IndexVec<ThreadId, HashSet<LocId>> {
        let mut result = IndexVec::filled(HashSet::default(), program.threads.len());
        for (t, loc) in self.invariants().flat_map(|i| i.locations()) {
            result[t].insert(loc);
        }
        for &(t, loc) in self.leaks().flat_map(|l| &l.ends) {
            result[t].insert(loc);
        }
        if let Some(found) = self.standstill() {
            for t in program.threads.ids() {
                result[t].extend(found.locs(program, t));
            }
        }
        // These look for states in which all goes on, which end there.
        if self.standstill().is_some() || self.leaks().next().is_some() {
            for (t, thread) in program.threads.iter_enumerated() {
                let over = |l: &LocId| thread.locations[*l].kind.is_over();
                result[t].extend(thread.locations.ids().filter(over));
            }
        }
        result
    }

    fn standstill(&self) -> Option<&Standstill> {
        self.targets.iter().find_map(|t| match &t.kind {
            TargetKind::Local(found, _) => Some(&**found),
            _ => None,
        })
    }

    fn leaks(&self) -> impl Iterator<Item = &Leak> {
        self.targets.iter().filter_map(|t| match &t.kind {
            TargetKind::Leak(leak) => Some(leak),
            _ => None,
        })
    }

    /// The items that races are about, ascending.
    pub fn raced(&self) -> Vec<Item> {
        let items = self.targets.iter().filter_map(|t| match t.kind {
            TargetKind::Race(item) => Some(item),
            _ => None,
        });
        items.collect()
    }

    /// The invariants, in the order of their targets.
    pub fn invariants(&self) -> impl Iterator<Item = &Invariant> {
        self.targets.iter().filter_map(|t| match &t.kind {
            TargetKind::Invariant(i) => Some(i),
            _ => None,
        })
    }
}
