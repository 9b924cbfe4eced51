//! Flags for fast floating-point arithmetic.

use bitflags::bitflags;
use fermata_ir::attributes::{AttributeDeclaration, DialectAttribute};
use fermata_ir::operation::AttributeConstraint;
use fermata_ir::text::{ParseResult, Parser, Printer};
use fermata_ir::{Attribute, Context};

bitflags! {
    /// What a front end allows a compiler to do with a floating-point operation: `#xir.fastmath<contract, reassoc>`.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
    pub struct FastMath: u8 {
        /// Regroup sums and products.
        const REASSOC = 1 << 0;
        /// Suppose that no operand and no result is a NaN.
        const NNAN = 1 << 1;
        /// Suppose that no operand and no result is an infinity.
        const NINF = 1 << 2;
        /// Ignore the sign of zeros.
        const NSZ = 1 << 3;
        /// Multiply by a reciprocal instead of dividing.
        const ARCP = 1 << 4;
        /// Round a product and the sum that uses it once together.
        const CONTRACT = 1 << 5;
        /// Use a target's own approximation of a function.
        const AFN = 1 << 6;
    }
}

/// The keywords, in the order of the bits.
const KEYWORDS: [&str; 7] = ["reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn"];

impl FastMath {
    fn keywords(self) -> impl Iterator<Item = &'static str> {
        KEYWORDS.into_iter().enumerate().filter(move |&(bit, _)| self.bits() >> bit & 1 == 1).map(|(_, word)| word)
    }
}

impl DialectAttribute for FastMath {
    const DECLARATION: &'static AttributeDeclaration = &DECLARATION;

    fn print_parameters(&self, printer: &mut Printer<'_>) {
        printer.write("<");
        for (index, keyword) in self.keywords().enumerate() {
            printer.write(if index == 0 { "" } else { ", " });
            printer.write(keyword);
        }
        printer.write(">");
    }
}

static DECLARATION: AttributeDeclaration = AttributeDeclaration {
    name: "xir.fastmath",
    documentation: "What a front end allows a compiler to do with a floating-point operation: `#xir.fastmath<contract, \
                    reassoc>`.\n\n* `reassoc`: regroup sums and products.\n* `nnan`, `ninf`: suppose that no operand and \
                    no result is a NaN, or an infinity.\n* `nsz`: ignore the sign of zeros.\n* `arcp`: multiply by a \
                    reciprocal instead of dividing.\n* `contract`: round a product and the sum that uses it once \
                    together.\n* `afn`: use a target's own approximation of a function.\n\nA supposition that does not \
                    hold makes the result an arbitrary number, nothing worse.",
    // The grammar of these, keywords in any number, is said above.
    parameters: &[],
    parse: parse_attribute,
};

fn parse_attribute(parser: &mut Parser<'_, '_>) -> ParseResult<Attribute> {
    let mut flags = FastMath::empty();
    parser.comma_list("<", ">", |parser| {
        let keyword = parser.one_of(&KEYWORDS)?;
        let bit = KEYWORDS.iter().position(|&known| known == keyword);
        flags |= FastMath::from_bits_truncate(bit.map_or(0, |bit| 1 << bit));
        Ok(())
    })?;
    Ok(flags.intern(parser.context()))
}

impl AttributeConstraint for FastMath {
    type Value<'c> = Self;
    const DESCRIPTION: &'static str = "flags for fast arithmetic";

    fn decode(context: &Context, attribute: Attribute) -> Option<Self> {
        attribute.downcast::<Self>(context).copied()
    }

    fn encode(context: &Context, value: Self) -> Attribute {
        value.intern(context)
    }
}
