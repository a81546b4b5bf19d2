//! Model files of others: AIGER and BTOR2 as circuits, with the way back to the file's terms.

use std::path::Path;

use crate::aig::Aig;
use crate::base::{Budget, IndexVec};
use crate::bitblast::{BitMap, bitblast};
use crate::format::btor2::Property;
use crate::format::vcd::Waves;
use crate::format::{aiger, btor2, witness};
use crate::outcome::Trace;
use crate::ts::Run;

use super::error::DriverError;

/// A model that was read.
#[derive(Debug)]
pub(super) struct ModelFile {
    /// The circuit. Bads and justice sets have the file's order.
    pub aig: Aig,
    /// What it was made from, if the file is word-level.
    word: Option<(btor2::Model, BitMap)>,
}

impl ModelFile {
    /// Reads a file; its suffix tells the format, and where that says nothing its first bytes.
    ///
    /// # Errors
    /// If it cannot be read or understood, has no property, or the budget ends.
    pub fn read(path: &Path, budget: &Budget) -> Result<Self, DriverError> {
        let shown = path.display();
        let bytes = std::fs::read(path).map_err(|e| DriverError::File(format!("{shown}: {e}")))?;
        let suffix = path.extension().map(|e| e.to_string_lossy().to_ascii_lowercase());
        let aiger = match suffix.as_deref() {
            Some("aag" | "aig" | "aiger") => true,
            Some("btor" | "btor2") => false,
            _ if bytes.starts_with(b"aag ") || bytes.starts_with(b"aig ") => true,
            _ => {
                return Err(DriverError::File(format!(
                    "{shown}: neither AIGER (.aag, .aig) nor BTOR2 (.btor, .btor2)"
                )));
            }
        };
        let model =
            if aiger { Self::aiger(path, &bytes) } else { Self::btor2(path, &bytes, budget) }?;
        if model.aig.bads.is_empty() && model.aig.justice.is_empty() {
            return Err(DriverError::File(format!("{shown}: the model has no property")));
        }
        Ok(model)
    }

    fn aiger(path: &Path, bytes: &[u8]) -> Result<Self, DriverError> {
        let mut aig = aiger::read(bytes).map_err(|e| match e.place {
            // The form that editors and compilers know.
            aiger::Place::Line(line) => located(path, line, &e.kind),
            aiger::Place::Byte(_) => DriverError::File(format!("{}: {e}", path.display())),
        })?;
        if aig.bads.is_empty() && aig.justice.is_empty() {
            // Before AIGER 1.9 there was no other way to write a bad state.
            aig.bads = std::mem::take(&mut aig.outputs);
        }
        Ok(ModelFile { aig, word: None })
    }

    fn btor2(path: &Path, bytes: &[u8], budget: &Budget) -> Result<Self, DriverError> {
        let model = btor2::read(bytes).map_err(|e| located(path, e.line, &e.kind))?;
        let (aig, bits) = bitblast(&model.ts, budget)?;
        Ok(ModelFile { aig, word: Some((model, bits)) })
    }

    /// Whether the trace violates its bad: simulated on the circuit, and on words if the file has
    /// them.
    pub fn violates(&self, trace: &Trace) -> bool {
        let frames = crate::aig::run(&self.aig, &trace.initial, &trace.inputs);
        let on_bits = self.aig.bad_reset(&trace.initial).is_none()
            && frames.iter().all(|f| f.legal())
            && frames.last().is_some_and(|f| f.bads[trace.bad]);
        on_bits
            && self.word.as_ref().is_none_or(|(model, bits)| {
                words(model, bits, &trace.initial, &trace.inputs).violates(&model.ts, trace.bad)
            })
    }

    /// The witness of a run in the form that belongs to the file's.
    pub fn witness(&self, found: &Found) -> String {
        let Found { property, initial, inputs } = found;
        match &self.word {
            None => {
                let label = match property {
                    Property::Bad(k) => format!("b{k}"),
                    Property::Justice(k) => format!("j{k}"),
                };
                witness::write_run(&label, initial, inputs)
            }
            Some((model, bits)) => {
                let run = words(model, bits, initial, inputs);
                let witness = btor2::Witness { properties: vec![*property], run };
                btor2::write_witness(&witness, &model.ts, &model.layout)
            }
        }
    }

    /// The signals of a run.
    pub fn waves(&self, found: &Found) -> Waves {
        let Found { initial, inputs, .. } = found;
        match &self.word {
            None => Waves::of_graph(&self.aig, initial, inputs),
            Some((model, bits)) => {
                Waves::of_system(&model.ts, &words(model, bits, initial, inputs))
            }
        }
    }
}

/// A run of a model's circuit that violates a property; a lasso ends in a state that it had
/// before.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// The property.
    pub property: Property,
    /// Values of all latches in the first frame.
    pub initial: Vec<bool>,
    /// Values of all inputs in each frame.
    pub inputs: Vec<Vec<bool>>,
}

fn located(path: &Path, line: usize, what: &dyn std::fmt::Display) -> DriverError {
    DriverError::File(format!("{}:{line}: {what}", path.display()))
}

/// The words of a run.
fn words(model: &btor2::Model, bits: &BitMap, initial: &[bool], inputs: &[Vec<bool>]) -> Run {
    let ts = &model.ts;
    let frame = |v: &Vec<bool>| -> IndexVec<_, u128> {
        ts.inputs.ids().map(|i| bits.input_value(i, v)).collect()
    };
    Run {
        initial: ts.states.ids().map(|s| bits.state_value(s, initial)).collect(),
        inputs: inputs.iter().map(frame).collect(),
    }
}
