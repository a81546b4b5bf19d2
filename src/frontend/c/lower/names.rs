//! Names of threads, variables, objects and choices.

use super::state::{Lower, Name};
use crate::base::{HashMap, HashSet, Id};

impl Lower<'_> {
    pub fn give_names(&mut self) {
        let threads = self.thread_names();
        for (t, name) in self.prog.threads.iter_mut().zip(&threads) {
            t.name.clone_from(name);
        }
        let full = |n: &Name| match n.thread {
            Some(t) => format!("{}.{}", threads[t.index()], n.rest),
            None => n.rest.clone(),
        };
        let mut taken = HashSet::default();
        for (v, n) in self.prog.vars.iter_mut().zip(&self.var_names) {
            v.name = unique(full(n), &mut taken);
        }
        let mut taken = HashSet::default();
        for (i, n) in self.prog.inputs.iter_mut().zip(&self.input_names) {
            i.name = unique(full(n), &mut taken);
        }
        let mut taken = HashSet::default();
        for (o, n) in self.prog.objects.iter_mut().zip(&self.object_names) {
            o.name = unique(full(n), &mut taken);
        }
    }

    fn thread_names(&self) -> Vec<String> {
        let name = |k: usize| match k {
            0 if !self.hir.has_entry => "start",
            _ => self.hir.funcs[self.instances[k].start].name.as_str(),
        };
        let mut counts: HashMap<&str, usize> = HashMap::default();
        for k in 0..self.instances.len() {
            *counts.entry(name(k)).or_insert(0) += 1;
        }
        let mut seen: HashMap<&str, usize> = HashMap::default();
        (0..self.instances.len())
            .map(|k| {
                let n = seen.entry(name(k)).or_insert(0);
                *n += 1;
                if counts[name(k)] == 1 { name(k).to_string() } else { format!("{}#{n}", name(k)) }
            })
            .collect()
    }
}

fn unique(name: String, taken: &mut HashSet<String>) -> String {
    if taken.insert(name.clone()) {
        return name;
    }
    let mut n = 2;
    loop {
        let candidate = format!("{name}#{n}");
        if taken.insert(candidate.clone()) {
            return candidate;
        }
        n += 1;
    }
}
