//! Many items on two threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Calls `test` on every item, on two threads, and panics with all complaints.
pub fn for_all<T: Sync>(items: &[T], test: impl Fn(&T) -> Result<(), String> + Sync) {
    let (next, faults) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(fault) = test(item) {
                faults.lock().expect("no test panics").push(fault);
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        work();
    });
    let faults = faults.into_inner().expect("no test panics");
    assert!(faults.is_empty(), "{} of {}:\n\n{}", faults.len(), items.len(), faults.join("\n\n"));
}
