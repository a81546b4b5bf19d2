//! The XML form of traces (`show_traces -p 4`).

use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};

use super::trace::{Collector, Result, SmvTrace};
use super::{TraceError, TraceErrorKind, Variables};

/// Reads the first trace of a file in the XML form.
///
/// # Errors
/// If it is not well-formed, or does not fit the model.
pub fn read_xml(text: &str, variables: &Variables) -> Result<SmvTrace> {
    let mut reader = Reader::from_str(text);
    // The line of a position that is not before the last one asked about.
    let (mut line, mut known) = (1, 0);
    let mut line = |at: u64| {
        let at = usize::try_from(at).unwrap_or(text.len()).clamp(known, text.len());
        line += text.as_bytes()[known..at].iter().filter(|&&b| b == b'\n').count();
        known = at;
        line
    };
    let mut parser =
        Parser { collector: Collector::new(variables), variable: None, loops: false, state: false };
    loop {
        let event = reader.read_event().map_err(|e| TraceError {
            line: line(reader.error_position()),
            kind: TraceErrorKind::Xml(e.to_string()),
        })?;
        let here = line(reader.buffer_position());
        match event {
            Event::Eof => return parser.collector.finish(here),
            Event::End(e) if e.name().into_inner() == "counter-example" => {
                return parser.collector.finish(here);
            }
            Event::Start(e) => parser.start(&e, here)?,
            Event::End(_) => parser.variable = None,
            Event::Text(e) => parser.text(&e.xml_content(XmlVersion::Implicit1_0), here)?,
            _ => {}
        }
        if parser.collector.count() == 0 && parser.loops {
            return parser.collector.finish(here);
        }
    }
}

struct Parser<'a> {
    collector: Collector<'a>,
    /// The variable whose value the text is.
    variable: Option<String>,
    /// Whether the text is the list of loops.
    loops: bool,
    /// Whether values belong to a state, not to inputs or to what is combinatorial.
    state: bool,
}

impl Parser<'_> {
    fn start(&mut self, element: &BytesStart<'_>, line: usize) -> Result<()> {
        let attribute = |name: &str| -> Result<String> {
            let fail = |message: String| TraceError { line, kind: TraceErrorKind::Xml(message) };
            let found = element.try_get_attribute(name).map_err(|e| fail(e.to_string()))?;
            let Some(found) = found else { return Err(fail(format!("no attribute `{name}`"))) };
            let value = found.normalized_value(XmlVersion::Implicit1_0);
            Ok(value.map_err(|e| fail(e.to_string()))?.into_owned())
        };
        match element.name().into_inner() {
            "state" => {
                let id = attribute("id")?;
                if id.parse() != Ok(self.collector.count() + 1) {
                    let text = id.chars().take(60).collect();
                    return Err(TraceError { line, kind: TraceErrorKind::StateNumber(text) });
                }
                self.collector.state();
                self.state = true;
            }
            "input" | "combinatorial" => self.state = false,
            "value" if self.state => self.variable = Some(attribute("variable")?),
            "loops" => self.loops = true,
            _ => {}
        }
        Ok(())
    }

    fn text(&mut self, text: &str, line: usize) -> Result<()> {
        if let Some(variable) = self.variable.take() {
            return self.collector.value(&variable, text.trim(), line);
        }
        if self.loops {
            for word in text.split([' ', ',', '\n', '\t']).filter(|w| !w.is_empty()) {
                match word.parse::<usize>() {
                    Ok(n) if (1..=self.collector.count()).contains(&n) => {
                        self.collector.loops.push(n - 1);
                    }
                    _ => {
                        let text = word.chars().take(60).collect();
                        return Err(TraceError { line, kind: TraceErrorKind::Loop(text) });
                    }
                }
            }
            self.loops = false;
        }
        Ok(())
    }
}
