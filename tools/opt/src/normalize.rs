//! One dash or two: LLVM's tools take both, so long options do here.

use std::ffi::{OsStr, OsString};

/// Short options that may be written together with their value.
const SHORT: [u8; 3] = [b'o', b'j', b'h'];

/// The arguments with two dashes before each long option. `is_long` knows the names of these.
pub(crate) fn with_two_dashes(
    arguments: impl IntoIterator<Item = OsString>,
    is_long: impl Fn(&str) -> bool,
) -> Vec<OsString> {
    let mut options_end = false;
    let normalize = |argument: OsString| {
        options_end |= argument == "--";
        if options_end || !is_long_with_one_dash(&argument, &is_long) {
            return argument;
        }
        let mut normalized = OsString::from("-");
        normalized.push(&argument);
        normalized
    };
    arguments.into_iter().map(normalize).collect()
}

/// Whether an argument such as `-pass-pipeline=..` is one long option, not short ones or a value.
fn is_long_with_one_dash(argument: &OsStr, is_long: impl Fn(&str) -> bool) -> bool {
    let bytes = argument.as_encoded_bytes();
    let [b'-', first, _, ..] = bytes else {
        return false;
    };
    if !first.is_ascii_alphabetic() {
        return false;
    }
    let name = bytes[1..].split(|&byte| byte == b'=').next().unwrap_or_default();
    !SHORT.contains(first) || std::str::from_utf8(name).is_ok_and(is_long)
}

#[cfg(test)]
mod tests {
    use super::with_two_dashes;

    #[test]
    fn long_options_get_two_dashes_and_nothing_else_does() {
        let given = ["opt", "-cse", "-o", "out", "-oout", "-j4", "-output-split-marker=x", "-", "--", "-cse"];
        let known = |name: &str| ["cse", "output-split-marker"].contains(&name);
        let normalized = with_two_dashes(given.map(Into::into), known);
        let expected = ["opt", "--cse", "-o", "out", "-oout", "-j4", "--output-split-marker=x", "-", "--", "-cse"];
        assert_eq!(normalized, expected);
    }
}
