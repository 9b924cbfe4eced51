//! The program in the texts of the tools.

use std::fmt::{self, Display, Formatter};
use std::io::{self, BufRead, Write};

use crate::program::{BLOCKS, FUNCTION_OPERATIONS, Function, Operator, Value, functions};

/// A text of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// MLIR's generic form, in a dialect's own words.
    Generic(&'static Words),
    /// LLVM's assembly.
    Llvm,
}

/// What a dialect calls the operations of the program.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Words {
    function: &'static str,
    binary_dialect: &'static str,
    branch: &'static str,
    return_: &'static str,
}

/// Fermata's own dialect. mlir-opt reads the same text with unregistered operations.
pub(crate) static XIR: Words =
    Words { function: "xir.callable", binary_dialect: "xir", branch: "xir.br", return_: "xir.return" };

/// The same operations in MLIR's dialects.
pub(crate) static UPSTREAM: Words =
    Words { function: "func.func", binary_dialect: "arith", branch: "cf.br", return_: "func.return" };

impl Form {
    /// Writes a program of so many functions.
    pub(crate) fn write(self, function_count: usize, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Generic(words) => {
                // The label stands for the block where there is no function.
                writeln!(out, "\"builtin.module\"() ({{\n^bb0:")?;
                for (number, function) in functions(function_count).enumerate() {
                    write_generic(words, number, &function, out)?;
                }
                writeln!(out, "}}) : () -> ()")
            }
            Self::Llvm => functions(function_count)
                .enumerate()
                .try_for_each(|(number, function)| write_llvm(number, &function, out)),
        }
    }

    /// The number of operations in a text, the program's or what a tool printed: one a line, whatever it calls them.
    /// Functions and the module are not counted, phi instructions are.
    pub(crate) fn count_operations(self, text: impl BufRead) -> io::Result<usize> {
        let mut count = 0;
        for line in text.lines() {
            count += usize::from(self.is_operation(line?.trim_start()));
        }
        Ok(count)
    }

    fn is_operation(self, line: &str) -> bool {
        match self {
            Self::Generic(words) => {
                let holds_others =
                    ["builtin.module", words.function].iter().any(|name| line[1.min(line.len())..].starts_with(name));
                line.starts_with('%') || line.starts_with('"') && !holds_others
            }
            Self::Llvm => ["%", "br ", "ret "].iter().any(|start| line.starts_with(start)),
        }
    }

    /// How many `count_operations` finds in a program of so many functions.
    pub(crate) fn expected_operations(self, function_count: usize) -> usize {
        let phis = match self {
            Self::Generic(_) => 0,
            Self::Llvm => 2 * (BLOCKS - 1),
        };
        function_count * (FUNCTION_OPERATIONS + phis)
    }
}

fn write_generic(words: &Words, number: usize, function: &Function, out: &mut impl Write) -> io::Result<()> {
    let Words { function: callable, binary_dialect, branch, return_ } = words;
    writeln!(out, "  \"{callable}\"() <{{function_type = (i32, i32) -> i32, sym_name = \"f{number}\"}}> ({{")?;
    let mut result = 0;
    for (index, block) in function.blocks.iter().enumerate() {
        writeln!(out, "  ^bb{index}(%a{index}: i32, %b{index}: i32):")?;
        for (operator, left, right) in &block.operations {
            let name = operator.generic_name();
            writeln!(out, "    %v{result} = \"{binary_dialect}.{name}\"({left}, {right}) : (i32, i32) -> i32")?;
            result += 1;
        }
        let [first, second] = block.leaving;
        if index + 1 < function.blocks.len() {
            writeln!(out, "    \"{branch}\"({first}, {second})[^bb{}] : (i32, i32) -> ()", index + 1)?;
        } else {
            writeln!(out, "    \"{return_}\"({first}) : (i32) -> ()")?;
        }
    }
    writeln!(out, "  }}) : () -> ()")
}

fn write_llvm(number: usize, function: &Function, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "define i32 @f{number}(i32 %a0, i32 %b0) {{")?;
    let mut result = 0;
    let mut incoming: Option<[Value; 2]> = None;
    for (index, block) in function.blocks.iter().enumerate() {
        writeln!(out, "bb{index}:")?;
        if let Some([first, second]) = incoming {
            let from = index - 1;
            writeln!(out, "  %a{index} = phi i32 [ {first}, %bb{from} ]")?;
            writeln!(out, "  %b{index} = phi i32 [ {second}, %bb{from} ]")?;
        }
        for (operator, left, right) in &block.operations {
            writeln!(out, "  %v{result} = {} i32 {left}, {right}", operator.llvm_name())?;
            result += 1;
        }
        if index + 1 < function.blocks.len() {
            writeln!(out, "  br label %bb{}", index + 1)?;
        } else {
            writeln!(out, "  ret i32 {}", block.leaving[0])?;
        }
        incoming = Some(block.leaving);
    }
    writeln!(out, "}}")
}

impl Display for Value {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Argument { block, index: 0 } => write!(formatter, "%a{block}"),
            Self::Argument { block, .. } => write!(formatter, "%b{block}"),
            Self::Result(number) => write!(formatter, "%v{number}"),
        }
    }
}

impl Operator {
    fn generic_name(self) -> &'static str {
        match self {
            Self::Add => "addi",
            Self::Subtract => "subi",
            Self::Multiply => "muli",
            Self::And => "andi",
            Self::Or => "ori",
            Self::Xor => "xori",
        }
    }

    fn llvm_name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Subtract => "sub",
            Self::Multiply => "mul",
            Self::And => "and",
            Self::Or => "or",
            Self::Xor => "xor",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(form: Form, function_count: usize) -> String {
        let mut out = Vec::new();
        form.write(function_count, &mut out).expect("a vector takes everything");
        String::from_utf8(out).expect("the text is ASCII")
    }

    #[test]
    fn programs_have_the_expected_shape() {
        for form in [Form::Generic(&XIR), Form::Generic(&UPSTREAM), Form::Llvm] {
            let program = text(form, 3);
            assert_eq!(form.count_operations(program.as_bytes()).unwrap(), form.expected_operations(3));
            assert_eq!(program, text(form, 3));
            assert_eq!(program.matches("@f").count() + program.matches("sym_name = \"f").count(), 3);
        }
        assert_eq!(Form::Generic(&XIR).expected_operations(20), 10_000);
    }

    #[test]
    fn the_texts_are_of_one_program() {
        let own = text(Form::Generic(&XIR), 2);
        let upstream = text(Form::Generic(&UPSTREAM), 2);
        let translated = own
            .replace("xir.callable", "func.func")
            .replace("xir.return", "func.return")
            .replace("xir.br", "cf.br")
            .replace("\"xir.", "\"arith.");
        assert_eq!(translated, upstream);
    }

    #[test]
    fn operands_lie_among_the_last_values_of_their_block() {
        let mut first_result = 0;
        for (index, block) in functions(1).flat_map(|function| function.blocks).enumerate() {
            let position = |value| match value {
                Value::Argument { block, index: argument } => (block == index).then_some(argument),
                Value::Result(number) => Some(number - first_result + 2),
            };
            for (number, &(_, left, right)) in block.operations.iter().enumerate() {
                let here = number + 2;
                assert!(position(left).is_some_and(|at| at < here && at + 8 >= here));
                assert!(position(right).is_some_and(|at| at < here && at + 16 >= here));
            }
            first_result += block.operations.len();
        }
    }
}
