//! Names that differ.

use crate::base::{HashMap, HashSet};

/// Gives out names, each once.
#[derive(Debug, Default)]
pub(super) struct Unique {
    used: HashSet<String>,
    /// The number that a name was given last; so a file full of equal names takes no longer.
    last: HashMap<String, usize>,
}

impl Unique {
    /// Takes a name that nobody shall get.
    pub fn reserve(&mut self, name: &str) {
        self.used.insert(name.to_string());
    }

    /// The name itself, or if it is taken the name with `separator` and a number from 2 on.
    pub fn take(&mut self, name: &str, separator: char) -> String {
        if self.used.insert(name.to_string()) {
            return name.to_string();
        }
        let last = self.last.entry(name.to_string()).or_insert(1);
        loop {
            *last += 1;
            let unique = format!("{name}{separator}{last}");
            if self.used.insert(unique.clone()) {
                return unique;
            }
        }
    }
}
