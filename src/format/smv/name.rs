//! Identifiers of the language for names of any form.

use crate::format::unique::Unique;

/// Words that are no identifiers, and some that one version or the other reserves.
const RESERVED: &str = "MODULE DEFINE MDEFINE CONSTANTS VAR IVAR FROZENVAR INIT TRANS INVAR SPEC \
    CTLSPEC LTLSPEC PSLSPEC COMPUTE NAME INVARSPEC FAIRNESS JUSTICE COMPASSION ISA ASSIGN \
    CONSTRAINT SIMPWFF CTLWFF LTLWFF PSLWFF COMPWFF IN MIN MAX MIRROR PRED PREDICATES FUN \
    PARSYNTH process array of boolean integer real word word1 bool signed unsigned extend resize \
    sizeof uwconst swconst clock noncontinuous EX AX EF AF EG AG E F O G H X Y Z A U S V T BU EBF \
    ABF EBG ABG case esac mod next init union in xor xnor self TRUE FALSE count abs max min sin \
    cos exp tan ln pi pow asin acos atan floor toint itype ftype typeof READ WRITE CONSTARRAY \
    main time";

/// Gives every name an identifier of its own.
#[derive(Debug)]
pub(super) struct Names(Unique);

impl Names {
    pub fn new() -> Self {
        let mut unique = Unique::default();
        RESERVED.split_whitespace().for_each(|word| unique.reserve(word));
        Names(unique)
    }

    /// The identifier of a name: letters, digits and `_` stay, the rest becomes `_`; a number is
    /// added where it would not be the only one. None begins with `__`, which NuSMV hides from
    /// traces.
    pub fn identifier(&mut self, name: &str) -> String {
        let keep = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let mut text: String = name.chars().map(keep).collect();
        if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
            text.insert(0, 'v');
        }
        self.0.take(&text, '_')
    }
}
