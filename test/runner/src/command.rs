//! The command language of RUN lines.

use crate::Refusal;
use crate::directives::RunLine;

/// Commands joined by `|`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Pipeline {
    pub(crate) line: usize,
    pub(crate) commands: Vec<ShellCommand>,
}

/// One command of a pipeline, before substitution.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct ShellCommand {
    /// Whether `not` stands before it.
    pub(crate) negated: bool,
    /// The program and its arguments; never empty once parsed.
    pub(crate) words: Vec<String>,
    /// In the order written, which matters: `2>&1 > file` sends errors where output went before.
    pub(crate) redirections: Vec<Redirection>,
}

/// Where a command's output goes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Redirection {
    OutputTo(String),
    ErrorsTo(String),
    ErrorsToOutput,
}

/// Parses a RUN line, or says what in it is outside the subset.
pub(crate) fn parse_pipeline(run: &RunLine) -> Result<Pipeline, Refusal> {
    let refuse = |message: String| Refusal::new(run.line, message);
    let mut commands = Vec::new();
    let mut current = ShellCommand::default();
    let mut tokens = tokenize(&run.text).map_err(&refuse)?.into_iter();
    while let Some(token) = tokens.next() {
        match token {
            Token::Word(word) => current.words.push(word),
            Token::Pipe => commands.push(std::mem::take(&mut current)),
            Token::ErrorsToOutput => current.redirections.push(Redirection::ErrorsToOutput),
            Token::OutputTo | Token::ErrorsTo => {
                let Some(Token::Word(path)) = tokens.next() else {
                    return Err(refuse("no file after `>`".to_owned()));
                };
                current.redirections.push(match token {
                    Token::OutputTo => Redirection::OutputTo(path),
                    _ => Redirection::ErrorsTo(path),
                });
            }
        }
    }
    commands.push(current);
    for command in &mut commands {
        if command.words.first().is_some_and(|word| word == "not") {
            command.negated = true;
            command.words.remove(0);
        }
        match command.words.first().map(String::as_str) {
            None => return Err(refuse("a command is empty".to_owned())),
            Some("not") => return Err(refuse("`not` twice".to_owned())),
            Some(word) if word.starts_with("--") => {
                return Err(refuse(format!("`not {word}`: no option of `not` is understood")));
            }
            Some(_) => {}
        }
    }
    Ok(Pipeline { line: run.line, commands })
}

enum Token {
    Word(String),
    Pipe,
    OutputTo,
    ErrorsTo,
    ErrorsToOutput,
}

fn tokenize(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let (token, length) = match first {
            '|' if rest.starts_with("||") => return Err("`||` is not understood".to_owned()),
            '|' => (Token::Pipe, 1),
            '>' if rest.starts_with(">>") || rest.starts_with(">&") => {
                return Err(format!("`{}` is not understood", &rest[..2]));
            }
            '>' => (Token::OutputTo, 1),
            '2' if rest.starts_with("2>&1") => (Token::ErrorsToOutput, 4),
            '2' if rest.starts_with("2>>") || rest.starts_with("2>&") => {
                return Err("of `2>` only `2> FILE` and `2>&1` are understood".to_owned());
            }
            '2' if rest.starts_with("2>") => (Token::ErrorsTo, 2),
            _ => {
                let (word, length) = scan_word(rest)?;
                (Token::Word(word), length)
            }
        };
        rest = &rest[length..];
        let stands_alone = rest.is_empty() || rest.starts_with([' ', '\t', '|', '>']);
        if matches!(token, Token::ErrorsToOutput) && !stands_alone {
            return Err("a blank is missing after `2>&1`".to_owned());
        }
        tokens.push(token);
        rest = rest.trim_start();
    }
    Ok(tokens)
}

/// Characters that need no quotes; all others could mean something to one shell or another.
fn is_plain(character: char) -> bool {
    character.is_ascii_alphanumeric() || "%_-+=/.,:@^".contains(character)
}

/// Reads a word up to a blank, `|` or the end; gives it without its quotes, and its length in the text.
fn scan_word(text: &str) -> Result<(String, usize), String> {
    let mut word = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            ' ' | '\t' | '|' => return Ok((word, at)),
            '\'' | '"' => loop {
                match characters.next() {
                    None => return Err(format!("a {character} is not closed")),
                    Some((_, inner)) if inner == character => break,
                    Some((_, inner @ ('\\' | '$' | '`'))) if character == '"' => {
                        return Err(format!("`{inner}` in double quotes; use single quotes"));
                    }
                    Some((_, inner)) => word.push(inner),
                }
            },
            '>' => return Err("a blank is missing before `>`".to_owned()),
            _ if is_plain(character) => word.push(character),
            _ => return Err(format!("`{character}` is not understood outside quotes")),
        }
    }
    Ok((word, text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Vec<ShellCommand>, String> {
        match parse_pipeline(&RunLine { line: 1, text: text.to_owned() }) {
            Ok(pipeline) => Ok(pipeline.commands),
            Err(refusal) => Err(refusal.message),
        }
    }

    #[test]
    fn pipes_quotes_and_redirections() {
        let commands =
            parse(r#"not %coro-opt --pass-pipeline='a(b{c=1 d="x"})' "%s" 2>&1 > %t.out|FileCheck %s"#).unwrap();
        assert_eq!(commands.len(), 2);
        assert!(commands[0].negated);
        assert_eq!(commands[0].words, ["%coro-opt", r#"--pass-pipeline=a(b{c=1 d="x"})"#, "%s"]);
        assert_eq!(commands[0].redirections, [Redirection::ErrorsToOutput, Redirection::OutputTo("%t.out".to_owned())]);
        assert_eq!(commands[1].words, ["FileCheck", "%s"]);
        assert_eq!(parse("cat a 2> b").unwrap()[0].redirections, [Redirection::ErrorsTo("b".to_owned())]);
        assert_eq!(parse("cat 2 '' a2").unwrap()[0].words, ["cat", "2", "", "a2"]);
    }

    #[test]
    fn everything_else_is_refused() {
        for text in [
            "",
            "|",
            "cat a |",
            "| cat a",
            "not",
            "not not cat",
            "not --crash cat",
            "cat a || cat b",
            "cat a && cat b",
            "cat a; cat b",
            "cat a & cat b",
            "cat < a",
            "cat >> a",
            "cat >",
            "cat > | cat",
            "cat a>b",
            "cat >& a",
            "cat &> a",
            "cat 2>&2",
            "cat 2>>a",
            "cat 2>&1a",
            "cat $HOME",
            "cat `a`",
            "cat $(a)",
            "cat *",
            "cat ?",
            "cat [a]",
            "cat {a,b}",
            "cat ~",
            "cat \\a",
            "cat 'a",
            "cat \"a",
            "cat \"$a\"",
            "cat \"\\a\"",
            "cat \"`a`\"",
            "cat a # b",
            "! cat a",
            "(cat a)",
            "cat ä",
        ] {
            assert!(parse(text).is_err(), "accepted: {text}");
        }
    }
}
