//! From a file to a transition system.

use std::rc::Rc;

use super::ReadErrorKind;
use super::array::{self, Elements};
use super::constant::{decimal, unsigned};
use super::layout::{Cell, Layout, Leaf};
use super::line::{Line, Result, lines};
use super::operator::{self, Shape};
use crate::base::{HashMap, HashSet};
use crate::expr::{MAX_WIDTH, mask};
use crate::format::unique::Unique;
use crate::ts::{StateId, TransitionSystem, TsExpr, TsNamed};

/// What a file says.
#[derive(Clone, Debug)]
pub struct Model {
    /// The transition system.
    pub ts: TransitionSystem,
    /// Where the file's inputs and states are in it.
    pub layout: Layout,
}

/// Reads a file.
///
/// # Errors
/// The first line that is not one of a BTOR2 file, or that uses what is not supported.
pub fn read(bytes: &[u8]) -> Result<Model> {
    let mut reader = Reader::new(Ahead::scan(bytes));
    for line in lines(bytes) {
        reader.line(line?)?;
    }
    Ok(Model { ts: reader.ts, layout: reader.layout })
}

/// What lines further down say about states, as far as it can be read.
#[derive(Debug, Default)]
struct Ahead {
    /// The states that have a next state.
    next: HashSet<u64>,
    /// The node of a state's initial value.
    init: HashMap<u64, (u64, bool)>,
}

impl Ahead {
    fn scan(bytes: &[u8]) -> Self {
        let mut ahead = Ahead::default();
        for mut line in lines(bytes).flatten() {
            let word = line.optional().and_then(|_| line.optional());
            let mut pair = || -> Result<_> {
                line.number("")?;
                Ok((line.number("")?, line.node()?))
            };
            match word {
                Some("next") => drop(pair().map(|(state, _)| ahead.next.insert(state))),
                Some("init") => drop(pair().map(|(state, value)| ahead.init.insert(state, value))),
                _ => {}
            }
        }
        ahead
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    Bits(u32),
    Array { index: u32, element: u32 },
}

#[derive(Clone, Debug)]
enum Value {
    Bits(TsExpr),
    Array(Elements, u32),
}

/// A state line.
#[derive(Debug)]
struct StateLine {
    /// Position in the layout.
    position: usize,
    has_init: bool,
    has_next: bool,
    /// Whether the initial value is already in place.
    init_done: bool,
}

#[derive(Debug)]
struct Reader {
    ts: TransitionSystem,
    layout: Layout,
    ahead: Ahead,
    sorts: HashMap<u64, Sort>,
    values: HashMap<u64, Value>,
    states: HashMap<u64, StateLine>,
    names: Unique,
    last: u64,
    /// How many more elements arrays may have.
    elements_left: usize,
    /// True in the first frame only.
    first: Option<TsExpr>,
}

impl Reader {
    fn new(ahead: Ahead) -> Self {
        Reader {
            ts: TransitionSystem::new(),
            layout: Layout::default(),
            ahead,
            sorts: HashMap::default(),
            values: HashMap::default(),
            states: HashMap::default(),
            names: Unique::default(),
            last: 0,
            elements_left: array::MAX_ELEMENTS,
            first: None,
        }
    }

    fn line(&mut self, mut line: Line<'_>) -> Result<()> {
        let id = line.number("the line's number")?;
        if id <= self.last {
            return line.error(ReadErrorKind::IdOrder { id, last: self.last });
        }
        self.last = id;
        let word = line.word("an operator")?;
        match word {
            "sort" => self.sort(id, &mut line),
            "init" => self.init(&mut line),
            "next" => self.next(&mut line),
            "bad" | "constraint" | "fair" | "output" => self.property(word, &mut line),
            "justice" => self.justice(&mut line),
            _ => self.node(id, word, &mut line),
        }
    }

    fn sort(&mut self, id: u64, line: &mut Line<'_>) -> Result<()> {
        let sort = match line.word("`bitvec` or `array`")? {
            "bitvec" => {
                let width = line.number("a width")?;
                match u32::try_from(width) {
                    Ok(w) if (1..=MAX_WIDTH).contains(&w) => Sort::Bits(w),
                    _ => return line.error(ReadErrorKind::Unsupported(width)),
                }
            }
            "array" => {
                let (Sort::Bits(index), Sort::Bits(element)) =
                    (self.sort_of(line)?, self.sort_of(line)?)
                else {
                    return line.error(ReadErrorKind::NestedArray);
                };
                if index > array::MAX_INDEX {
                    return line.error(ReadErrorKind::ArrayTooLarge { index });
                }
                Sort::Array { index, element }
            }
            other => return line.expected("`bitvec` or `array`", other),
        };
        line.symbol()?;
        self.sorts.insert(id, sort);
        Ok(())
    }

    fn sort_of(&self, line: &mut Line<'_>) -> Result<Sort> {
        let id = line.number("the number of a sort")?;
        match self.sorts.get(&id) {
            Some(&sort) => Ok(sort),
            None => line.error(ReadErrorKind::NoSuchSort(id)),
        }
    }

    /// A line whose node has a sort.
    fn node(&mut self, id: u64, word: &str, line: &mut Line<'_>) -> Result<()> {
        let known = matches!(
            word,
            "input"
                | "state"
                | "one"
                | "ones"
                | "zero"
                | "const"
                | "constd"
                | "consth"
                | "sext"
                | "uext"
                | "slice"
                | "read"
                | "write"
                | "ite"
        );
        if !known
            && operator::unary_reduces(word).is_none()
            && operator::binary_shape(word).is_none()
        {
            return line.unknown(word);
        }
        let sort = self.sort_of(line)?;
        let value = match word {
            "input" => self.input(id, sort, line)?,
            "state" => self.state(id, sort, line)?,
            "one" | "ones" | "zero" | "const" | "constd" | "consth" => {
                self.constant(word, sort, line)?
            }
            _ => self.operator(word, sort, line)?,
        };
        if !matches!(word, "input" | "state") {
            line.symbol()?;
        }
        self.values.insert(id, value);
        Ok(())
    }

    fn take_elements(&mut self, count: usize, line: &Line<'_>) -> Result<()> {
        match self.elements_left.checked_sub(count) {
            Some(left) => {
                self.elements_left = left;
                Ok(())
            }
            None => line.error(ReadErrorKind::ArraysTooLarge),
        }
    }

    /// Adds the words of an input or state line.
    fn cells(
        &mut self,
        name: &str,
        sort: Sort,
        is_state: bool,
        line: &Line<'_>,
    ) -> Result<(Vec<Cell>, Value)> {
        let (count, width) = match sort {
            Sort::Bits(width) => (1, width),
            Sort::Array { index, element } => (1 << index, element),
        };
        self.take_elements(count, line)?;
        let mut cells = vec![];
        let mut exprs = vec![];
        for k in 0..count {
            let is_array = matches!(sort, Sort::Array { .. });
            let name = if is_array { format!("{name}[{k}]") } else { name.to_string() };
            let name = self.names.take(&name, '#');
            if is_state {
                let (state, e) = self.ts.add_state(name, width, None);
                cells.push(Cell::State(state));
                exprs.push(e);
            } else {
                let (input, e) = self.ts.add_input(name, width);
                cells.push(Cell::Input(input));
                exprs.push(e);
            }
        }
        let value = match sort {
            Sort::Bits(_) => Value::Bits(exprs[0]),
            Sort::Array { index, .. } => Value::Array(exprs.into(), index),
        };
        Ok((cells, value))
    }

    fn input(&mut self, id: u64, sort: Sort, line: &mut Line<'_>) -> Result<Value> {
        let name = line.symbol()?.map_or_else(|| format!("input{id}"), str::to_string);
        let (cells, value) = self.cells(&name, sort, false, line)?;
        self.layout.inputs.push(Leaf { cells, index: index_of(sort), free: true });
        Ok(value)
    }

    fn state(&mut self, id: u64, sort: Sort, line: &mut Line<'_>) -> Result<Value> {
        let name = line.symbol()?.map_or_else(|| format!("state{id}"), str::to_string);
        let has_next = self.ahead.next.contains(&id);
        let init = self.ahead.init.get(&id).copied();
        let (cells, mut value) = self.cells(&name, sort, has_next, line)?;
        let mut init_done = false;
        if let Some((node, negated)) = init
            && self.values.contains_key(&node)
        {
            let init = self.operand((node, negated), line)?;
            // A wrong sort is an error of the line that sets the initial value.
            if self.fits(&init, sort, true) {
                value = self.with_init(&cells, &value, &init);
                init_done = true;
            }
        }
        let leaf = Leaf { cells, index: index_of(sort), free: init.is_none() };
        let line = StateLine {
            position: self.layout.states.len(),
            has_init: false,
            has_next: false,
            init_done,
        };
        self.layout.states.push(leaf);
        self.states.insert(id, line);
        Ok(value)
    }

    /// Whether a value has a sort, or may be what all elements of an array start with.
    fn fits(&self, value: &Value, sort: Sort, init: bool) -> bool {
        match (value, sort) {
            (Value::Bits(e), Sort::Bits(width)) => self.ts.pool.width(*e) == width,
            (Value::Bits(e), Sort::Array { element, .. }) => {
                init && self.ts.pool.width(*e) == element
            }
            (Value::Array(elements, width), Sort::Array { index, element }) => {
                *width == index && self.ts.pool.width(elements[0]) == element
            }
            (Value::Array(..), Sort::Bits(_)) => false,
        }
    }

    /// A state's value that is `init` in the first frame.
    fn with_init(&mut self, cells: &[Cell], value: &Value, init: &Value) -> Value {
        let mut started = |k: usize, e: TsExpr| {
            let init = match init {
                Value::Bits(init) => *init,
                Value::Array(elements, _) => elements[k],
            };
            match (cells[k], self.ts.pool.as_const(init)) {
                (Cell::State(state), Some(v)) => {
                    self.ts.states[state].init = Some(v);
                    e
                }
                _ => {
                    let first = self.first_frame();
                    self.ts.pool.ite(first, init, e)
                }
            }
        };
        match value {
            Value::Bits(e) => Value::Bits(started(0, *e)),
            Value::Array(elements, index) => {
                let started = elements.iter().enumerate().map(|(k, &e)| started(k, e));
                Value::Array(started.collect::<Vec<_>>().into(), *index)
            }
        }
    }

    /// A state that is true in the first frame only.
    fn first_frame(&mut self) -> TsExpr {
        if let Some(first) = self.first {
            return first;
        }
        let name = self.names.take("first-frame", '#');
        let (state, first) = self.ts.add_state(name, 1, Some(1));
        self.ts.states[state].next = self.ts.pool.bool(false);
        self.first = Some(first);
        first
    }

    fn constant(&mut self, word: &str, sort: Sort, line: &mut Line<'_>) -> Result<Value> {
        let Sort::Bits(width) = sort else { return line.error(ReadErrorKind::Sort("a constant")) };
        let value = match word {
            "zero" => 0,
            "one" => 1,
            "ones" => mask(width),
            _ => {
                let text = line.word("a constant")?;
                let value = match word {
                    "const" => unsigned(text, 2, width),
                    "consth" => unsigned(text, 16, width),
                    _ => decimal(text, width),
                };
                match value {
                    Some(value) => value,
                    None => return line.bad_constant(text),
                }
            }
        };
        Ok(Value::Bits(self.ts.pool.constant(value, width)))
    }

    fn operand(&mut self, (id, negated): (u64, bool), line: &Line<'_>) -> Result<Value> {
        match (self.values.get(&id), negated) {
            (Some(value), false) => Ok(value.clone()),
            (Some(&Value::Bits(e)), true) => Ok(Value::Bits(self.ts.pool.not(e))),
            (Some(Value::Array(..)), true) => line.error(ReadErrorKind::Sort("a complement")),
            (None, _) => line.error(ReadErrorKind::NoSuchNode(id)),
        }
    }

    /// The next word as a node of any sort.
    fn any(&mut self, line: &mut Line<'_>) -> Result<Value> {
        let node = line.node()?;
        self.operand(node, line)
    }

    /// The next word as a bit-vector.
    fn bits(&mut self, line: &mut Line<'_>) -> Result<TsExpr> {
        match self.any(line)? {
            Value::Bits(e) => Ok(e),
            Value::Array(..) => line.error(ReadErrorKind::Sort("an operand")),
        }
    }

    /// The next word as an array.
    fn array(&mut self, line: &mut Line<'_>) -> Result<(Elements, u32)> {
        match self.any(line)? {
            Value::Array(elements, index) => Ok((elements, index)),
            Value::Bits(_) => line.error(ReadErrorKind::Sort("an operand")),
        }
    }

    /// Checks the width of a bit-vector.
    fn width(&self, what: &'static str, e: TsExpr, expected: u32, line: &Line<'_>) -> Result<()> {
        let found = self.ts.pool.width(e);
        if found == expected {
            return Ok(());
        }
        line.error(ReadErrorKind::Width { what, expected, found })
    }

    /// The width of the declared sort, which must be a bit-vector.
    fn declared(&self, sort: Sort, line: &Line<'_>) -> Result<u32> {
        match sort {
            Sort::Bits(width) => Ok(width),
            Sort::Array { .. } => line.error(ReadErrorKind::Sort("the result")),
        }
    }

    /// Checks the declared sort against the width that the result has.
    fn result(&self, sort: Sort, found: u32, line: &Line<'_>) -> Result<()> {
        let expected = self.declared(sort, line)?;
        if found == expected {
            return Ok(());
        }
        line.error(ReadErrorKind::Width { what: "the result", expected, found })
    }

    fn operator(&mut self, word: &str, sort: Sort, line: &mut Line<'_>) -> Result<Value> {
        if let Some(reduces) = operator::unary_reduces(word) {
            let a = self.bits(line)?;
            self.result(sort, if reduces { 1 } else { self.ts.pool.width(a) }, line)?;
            return Ok(Value::Bits(operator::unary(&mut self.ts.pool, word, a)));
        }
        match word {
            "sext" | "uext" => self.extension(word == "sext", sort, line),
            "slice" => self.slice(sort, line),
            "ite" => self.ite(sort, line),
            "read" => {
                let (elements, index) = self.array(line)?;
                let at = self.bits(line)?;
                self.width("the index", at, index, line)?;
                self.result(sort, self.ts.pool.width(elements[0]), line)?;
                self.take_elements(elements.len(), line)?;
                Ok(Value::Bits(array::select(&mut self.ts.pool, &elements, at)))
            }
            "write" => {
                let (elements, index) = self.array(line)?;
                let (at, value) = (self.bits(line)?, self.bits(line)?);
                self.width("the index", at, index, line)?;
                self.width("the element", value, self.ts.pool.width(elements[0]), line)?;
                let array = Value::Array(Rc::clone(&elements), index);
                self.check(&array, sort, false, "the result", line)?;
                self.take_elements(elements.len(), line)?;
                let new = array::store(&mut self.ts.pool, &elements, at, value);
                Ok(Value::Array(new, index))
            }
            _ => self.binary(word, sort, line),
        }
    }

    fn extension(&mut self, signed: bool, sort: Sort, line: &mut Line<'_>) -> Result<Value> {
        let a = self.bits(line)?;
        let by = line.number("a number of bits")?;
        let width = self.declared(sort, line)?;
        let found = u64::from(self.ts.pool.width(a)).saturating_add(by);
        if found != u64::from(width) {
            let found = u32::try_from(found).unwrap_or(u32::MAX);
            return self.result(sort, found, line).map(|()| unreachable!("the widths differ"));
        }
        Ok(Value::Bits(self.ts.pool.resize(a, width, signed)))
    }

    fn slice(&mut self, sort: Sort, line: &mut Line<'_>) -> Result<Value> {
        let a = self.bits(line)?;
        let (high, low) = (line.number("the highest bit")?, line.number("the lowest bit")?);
        let width = self.ts.pool.width(a);
        if high < low || high >= u64::from(width) {
            return line.error(ReadErrorKind::Slice { high, low, width });
        }
        let bits = (high - low + 1) as u32;
        self.result(sort, bits, line)?;
        Ok(Value::Bits(self.ts.pool.extract(a, low as u32, bits)))
    }

    fn ite(&mut self, sort: Sort, line: &mut Line<'_>) -> Result<Value> {
        let c = self.bits(line)?;
        self.width("the condition", c, 1, line)?;
        let (a, b) = (self.any(line)?, self.any(line)?);
        for branch in [&a, &b] {
            self.check(branch, sort, false, "an operand", line)?;
        }
        match (a, b) {
            (Value::Bits(a), Value::Bits(b)) => Ok(Value::Bits(self.ts.pool.ite(c, a, b))),
            (Value::Array(a, index), Value::Array(b, _)) => {
                self.take_elements(a.len(), line)?;
                Ok(Value::Array(array::choose(&mut self.ts.pool, c, &a, &b), index))
            }
            _ => unreachable!("both have the declared sort"),
        }
    }

    fn binary(&mut self, word: &str, sort: Sort, line: &mut Line<'_>) -> Result<Value> {
        let shape = operator::binary_shape(word).expect("other operators are treated before");
        let (a, b) = (self.any(line)?, self.any(line)?);
        let (a, b) = match (a, b) {
            (Value::Bits(a), Value::Bits(b)) => (a, b),
            (Value::Array(a, i), Value::Array(b, j)) if matches!(word, "eq" | "neq") => {
                let pool = &self.ts.pool;
                if i != j || pool.width(a[0]) != pool.width(b[0]) {
                    return line.error(ReadErrorKind::Sort("an operand"));
                }
                self.result(sort, 1, line)?;
                self.take_elements(a.len(), line)?;
                let equal = array::equal(&mut self.ts.pool, &a, &b);
                let differ = word == "neq";
                return Ok(Value::Bits(if differ { self.ts.pool.not(equal) } else { equal }));
            }
            _ => return line.error(ReadErrorKind::Sort("an operand")),
        };
        let (x, y) = (self.ts.pool.width(a), self.ts.pool.width(b));
        let found = match shape {
            Shape::Bits => {
                self.width("the first operand", a, 1, line)?;
                1
            }
            Shape::Comparison => 1,
            Shape::Words => x,
            Shape::Concat => x + y,
        };
        if shape != Shape::Concat {
            self.width("the second operand", b, x, line)?;
        }
        self.result(sort, found, line)?;
        Ok(Value::Bits(operator::binary(&mut self.ts.pool, word, a, b)))
    }

    /// Checks the sort of a value.
    fn check(
        &self,
        value: &Value,
        sort: Sort,
        init: bool,
        what: &'static str,
        line: &Line<'_>,
    ) -> Result<()> {
        match (value, sort) {
            _ if self.fits(value, sort, init) => Ok(()),
            (&Value::Bits(e), Sort::Bits(width)) => self.width(what, e, width, line),
            _ => line.error(ReadErrorKind::Sort(what)),
        }
    }

    /// The state line with this number and the sort that the line names, which must be its sort.
    fn state_of(&self, sort: Sort, line: &mut Line<'_>) -> Result<(u64, usize)> {
        let id = line.number("the number of a state")?;
        let Some(state) = self.states.get(&id) else {
            let known = self.values.contains_key(&id);
            return line.error(if known {
                ReadErrorKind::NotAState(id)
            } else {
                ReadErrorKind::NoSuchNode(id)
            });
        };
        self.check(&self.values[&id], sort, false, "the state", line)?;
        Ok((id, state.position))
    }

    fn init(&mut self, line: &mut Line<'_>) -> Result<()> {
        let sort = self.sort_of(line)?;
        let (id, position) = self.state_of(sort, line)?;
        let value = self.any(line)?;
        self.check(&value, sort, true, "the initial value", line)?;
        line.symbol()?;
        let state = self.states.get_mut(&id).expect("it was just found");
        if std::mem::replace(&mut state.has_init, true) {
            return line.error(ReadErrorKind::Twice("`init`", id));
        }
        if state.init_done {
            return Ok(());
        }
        let cells = self.layout.states[position].cells.clone();
        for (k, cell) in cells.into_iter().enumerate() {
            let init = match &value {
                Value::Bits(init) => *init,
                Value::Array(elements, _) => elements[k],
            };
            match (cell, self.ts.pool.as_const(init)) {
                (Cell::State(state), Some(v)) => self.ts.states[state].init = Some(v),
                _ => return line.error(ReadErrorKind::InitOrder),
            }
        }
        Ok(())
    }

    fn next(&mut self, line: &mut Line<'_>) -> Result<()> {
        let sort = self.sort_of(line)?;
        let (id, position) = self.state_of(sort, line)?;
        let value = self.any(line)?;
        self.check(&value, sort, false, "the next state", line)?;
        line.symbol()?;
        let state = self.states.get_mut(&id).expect("it was just found");
        if std::mem::replace(&mut state.has_next, true) {
            return line.error(ReadErrorKind::Twice("`next`", id));
        }
        let cells = self.layout.states[position].cells.clone();
        for (k, cell) in cells.into_iter().enumerate() {
            let next = match &value {
                Value::Bits(e) => *e,
                Value::Array(elements, _) => elements[k],
            };
            self.ts.states[state_id(cell)].next = next;
        }
        Ok(())
    }

    fn property(&mut self, word: &str, line: &mut Line<'_>) -> Result<()> {
        let value = self.bits(line)?;
        if word != "output" {
            self.width("a property", value, 1, line)?;
        }
        let list = match word {
            "bad" => &mut self.ts.bads,
            "constraint" => &mut self.ts.constraints,
            "fair" => &mut self.ts.fairness,
            _ => &mut self.ts.outputs,
        };
        let name = line.symbol()?.map_or_else(|| format!("{word}{}", list.len()), str::to_string);
        list.push(TsNamed { name, value });
        Ok(())
    }

    fn justice(&mut self, line: &mut Line<'_>) -> Result<()> {
        let count = line.number("a number of conditions")?;
        let mut value = vec![];
        for _ in 0..count {
            let e = self.bits(line)?;
            self.width("a condition", e, 1, line)?;
            value.push(e);
        }
        let symbol = line.symbol()?;
        let name = symbol.map_or_else(|| format!("justice{}", self.ts.justice.len()), String::from);
        self.ts.justice.push(TsNamed { name, value });
        Ok(())
    }
}

fn index_of(sort: Sort) -> Option<u32> {
    match sort {
        Sort::Bits(_) => None,
        Sort::Array { index, .. } => Some(index),
    }
}

/// The state of a line that has a `next`.
fn state_id(cell: Cell) -> StateId {
    match cell {
        Cell::State(state) => state,
        Cell::Input(_) => unreachable!("the scan ahead has seen the `next` line"),
    }
}
