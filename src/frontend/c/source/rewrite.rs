//! Rewritten text together with the way back to where each byte came from.

/// Maps offsets of a rewritten text to offsets of its input.
#[derive(Clone, Debug, Default)]
pub struct OffsetMap {
    /// Ordered by `out`, which is distinct.
    pieces: Vec<Piece>,
}

#[derive(Clone, Copy, Debug)]
struct Piece {
    /// Offset in the rewritten text where the piece begins.
    out: usize,
    /// Offset in the input.
    input: usize,
    /// Whether the piece is a copy; all of an inserted piece belongs to `input`.
    copied: bool,
}

impl OffsetMap {
    /// The input offset behind offset `out` of the rewritten text.
    pub fn to_input(&self, out: usize) -> usize {
        let after = self.pieces.partition_point(|p| p.out <= out);
        match after.checked_sub(1).map(|i| self.pieces[i]) {
            Some(p) if p.copied => p.input + (out - p.out),
            Some(p) => p.input,
            None => out,
        }
    }

    fn note(&mut self, out: usize, input: usize, copied: bool) {
        if let Some(last) = self.pieces.last()
            && last.copied
            && copied
            && last.input + (out - last.out) == input
        {
            return;
        }
        if self.pieces.last().is_some_and(|p| p.out == out) {
            self.pieces.pop();
        }
        self.pieces.push(Piece { out, input, copied });
    }
}

/// A text under construction.
#[derive(Debug, Default)]
pub struct Rewriter {
    text: String,
    map: OffsetMap,
}

impl Rewriter {
    /// Appends `text`, which stands at `input` in the input, or replaces as many bytes there.
    pub fn copy(&mut self, text: &str, input: usize) {
        self.map.note(self.text.len(), input, true);
        self.text.push_str(text);
    }

    /// Appends `text` in place of what stands at `input` in the input.
    pub fn insert(&mut self, text: &str, input: usize) {
        if !text.is_empty() {
            self.map.note(self.text.len(), input, false);
            self.text.push_str(text);
        }
    }

    /// The text and its map.
    pub fn finish(self) -> (String, OffsetMap) {
        (self.text, self.map)
    }
}

/// Replaces the bytes `start..end` of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// First byte replaced.
    pub start: usize,
    /// One past the last; `start` for an insertion.
    pub end: usize,
    /// The replacement.
    pub text: String,
}

/// Applies `edits` to `input`. An edit that begins within an earlier one is lost: its place is
/// gone.
pub fn apply(input: &str, mut edits: Vec<Edit>) -> (String, OffsetMap) {
    edits.sort_by_key(|e| e.start);
    let mut out = Rewriter::default();
    let mut at = 0;
    for edit in edits {
        if edit.start < at {
            continue;
        }
        out.copy(&input[at..edit.start], at);
        out.insert(&edit.text, edit.start);
        at = edit.end;
    }
    out.copy(&input[at..], at);
    out.finish()
}
