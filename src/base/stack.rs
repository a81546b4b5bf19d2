//! Stack for work that recurses over what a user wrote.

use std::panic::resume_unwind;
use std::thread;

/// Bytes of stack that the deepest tree within the limits needs many times over; they are
/// reserved, not used.
const DEEP_STACK: usize = 1 << 28;

/// Runs `work` with a stack that suffices to recurse over the tree of any text that is accepted.
/// Where the system gives no such thread, `work` runs on the present one.
pub fn with_deep_stack<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    let mut work = Some(work);
    let mut result = None;
    let ran = thread::scope(|scope| {
        let run = || result = work.take().map(|w| w());
        let spawned = thread::Builder::new().stack_size(DEEP_STACK).spawn_scoped(scope, run);
        spawned.map(|handle| handle.join())
    });
    if let Ok(Err(panic)) = ran {
        resume_unwind(panic);
    }
    match (result, work) {
        (Some(result), _) => result,
        (None, Some(work)) => work(),
        (None, None) => unreachable!("work that was begun has ended or panicked"),
    }
}
