//! What the programs of `testdata` say of themselves.

use std::fs;
use std::path::Path;

/// The first lines of a program, `// key: value`.
pub fn header(file: &Path) -> Vec<(String, String)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = fs::read_to_string(path).expect("a program");
    let pair = |line: &str| {
        let (key, value) = line.strip_prefix("// ")?.split_once(": ")?;
        Some((key.to_owned(), value.to_owned()))
    };
    text.lines().map_while(pair).collect()
}
