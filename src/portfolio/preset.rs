//! Named lists of command lines, from one data file.

/// The data file.
const TEXT: &str = include_str!("presets.txt");

/// The preset that `--engine auto` stands for.
pub const AUTO: &str = "auto";

/// Names of the presets, in the file's order.
pub fn names() -> Vec<&'static str> {
    let mut names = vec![];
    for (name, _) in lines() {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The command lines of a preset; none if there is no such preset.
pub fn commands(preset: &str) -> Vec<&'static str> {
    lines().filter(|(name, _)| *name == preset).map(|(_, command)| command).collect()
}

/// Name and command line of each line that is no comment.
fn lines() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = TEXT.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#'));
    lines.map(|line| {
        let (name, command) = line.split_once(':').expect("each line of the presets has a name");
        (name.trim(), command.trim())
    })
}
