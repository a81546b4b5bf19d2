//! The table of runs: CSV without quotes.

/// One run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Row {
    /// Name of the task's set.
    pub task: String,
    /// The parameter.
    pub x: Option<u64>,
    /// The configuration.
    pub configuration: String,
    /// Number of the run, 1 upwards.
    pub run: u32,
    /// The right answer.
    pub stated: String,
    /// SAFE, UNSAFE, UNKNOWN, or ERROR where there was no answer.
    pub verdict: String,
    /// Depth that was reached, in steps of the circuit.
    pub depth: Option<u64>,
    /// Wall time.
    pub seconds: f64,
    /// CPU time of the run, with that of the engines that it started.
    pub cpu: f64,
    /// Largest resident size in MB (2^20 bytes).
    pub peak_mb: f64,
    /// Latches of the circuit.
    pub latches: Option<u64>,
    /// And gates of the circuit.
    pub ands: Option<u64>,
    /// States that the explorer saw.
    pub states: Option<u64>,
    /// Seconds of wall time that the run had.
    pub limit: u64,
    /// Newest commit that touched what the figure depends on.
    pub commit: String,
    /// Processor and number of cores.
    pub machine: String,
}

impl Row {
    /// The first line of the table.
    pub const HEADER: &str = "task,x,configuration,run,stated,verdict,depth,seconds,cpu_seconds,\
                              peak_mb,latches,ands,states,limit,commit,machine";

    /// The row as a line of the table, without its end.
    pub fn line(&self) -> String {
        let number = |n: Option<u64>| n.map_or_else(String::new, |n| n.to_string());
        [
            self.task.clone(),
            number(self.x),
            self.configuration.clone(),
            self.run.to_string(),
            self.stated.clone(),
            self.verdict.clone(),
            number(self.depth),
            format!("{:.3}", self.seconds),
            format!("{:.3}", self.cpu),
            format!("{:.0}", self.peak_mb),
            number(self.latches),
            number(self.ands),
            number(self.states),
            self.limit.to_string(),
            self.commit.clone(),
            self.machine.clone(),
        ]
        .join(",")
    }

    /// The row of a line; nothing where the line is none, such as one that was cut short.
    pub fn read(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |text: &str| match text {
            "" => Some(None),
            text => text.parse().ok().map(Some),
        };
        let &[
            task,
            x,
            configuration,
            run,
            stated,
            verdict,
            depth,
            seconds,
            cpu,
            peak_mb,
            latches,
            ands,
            states,
            limit,
            commit,
            machine,
        ] = fields.as_slice()
        else {
            return None;
        };
        Some(Self {
            task: task.into(),
            x: number(x)?,
            configuration: configuration.into(),
            run: run.parse().ok()?,
            stated: stated.into(),
            verdict: verdict.into(),
            depth: number(depth)?,
            seconds: seconds.parse().ok()?,
            cpu: cpu.parse().ok()?,
            peak_mb: peak_mb.parse().ok()?,
            latches: number(latches)?,
            ands: number(ands)?,
            states: number(states)?,
            limit: limit.parse().ok()?,
            commit: commit.into(),
            machine: machine.into(),
        })
    }

    /// Whether the run has decided the property.
    pub fn decided(&self) -> bool {
        matches!(self.verdict.as_str(), "SAFE" | "UNSAFE")
    }

    /// Whether the answer is wrong, or there was none.
    pub fn wrong(&self) -> bool {
        self.verdict == "ERROR" || self.decided() && self.verdict != self.stated
    }

    /// The task's name with its parameter.
    pub fn name(&self) -> String {
        self.x.map_or_else(|| self.task.clone(), |x| format!("{}-{x}", self.task))
    }
}
