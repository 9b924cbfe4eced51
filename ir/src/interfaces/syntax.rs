//! Hooks of single operations: verification and hand-written syntax.

use crate::body::OpId;
use crate::diagnostic::Diagnostics;
use crate::interface;
use crate::operation::OpRef;
use crate::text::{ParseResult, Parser, Printer};

interface! {
    /// Rules of an operation beyond its declaration.
    pub trait VerifyInterface => VerifyModel {
        /// Reports every broken rule. It runs only if what is declared holds for the operation, for all operations
        /// around it and in its regions, and for those that define its operands.
        fn verify(op: OpRef<'_>, diagnostics: &mut Diagnostics);
    }
}

interface! {
    /// A custom form that a format string cannot say.
    pub trait SyntaxInterface => SyntaxModel {
        /// Parses what follows the operation's name and creates the operation.
        fn parse(parser: &mut Parser<'_, '_>) -> ParseResult<OpId>;

        /// Prints what follows the operation's name.
        fn print(op: OpRef<'_>, printer: &mut Printer<'_>);
    }
}
