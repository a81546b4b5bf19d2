//! What a user says about a program without a `main` of pthreads, or on bare hardware.

/// What stands for a function of the hardware or of an operating system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extern {
    /// It gives any value and does nothing else.
    Nondet,
    /// It gives 0 and does nothing else.
    Noop,
    /// It starts the given threads and never returns.
    Start,
}

/// When an interrupt handler may run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mask {
    /// At any time.
    Never,
    /// While this variable is not 0, or once this function has been called.
    Enabled(String),
    /// Not between a call of the first function and one of the second.
    Switched(String, String),
}

/// What the user says about a program of this kind.
#[derive(Clone, Debug, Default)]
pub struct Firmware {
    /// The function that runs first; `main` if it is not given.
    pub entry: Option<String>,
    /// Functions that run as threads, and in how many instances each.
    pub threads: Vec<(String, usize)>,
    /// Functions that run to completion whenever they may, and pre-empt every thread.
    pub isrs: Vec<(String, Mask)>,
    /// Functions that are not modelled by their bodies.
    pub externs: Vec<(String, Extern)>,
    /// Objects that read as inputs.
    pub mmio: Vec<String>,
}

impl Firmware {
    /// The functions that run though nobody calls them.
    pub fn roots(&self) -> impl Iterator<Item = &str> {
        let threads = self.threads.iter().map(|t| t.0.as_str());
        threads.chain(self.isrs.iter().map(|i| i.0.as_str()))
    }

    /// Whether there is more than the entry.
    pub fn is_given(&self) -> bool {
        !self.threads.is_empty() || !self.isrs.is_empty()
    }
}
