//! What the checks of formats refuse, and what they let pass.

use crate::operation::expand;
use crate::testing::{refusal, tokens};

/// One operand group of each arity, one result, one property of each presence.
const FIELDS: &str = "#[operand] one: I32, #[operand(optional)] maybe: I32, #[operand(variadic)] many: I32,
    #[result] result: I32, #[property] needed: I32Attribute, #[property(optional)] extra: I32Attribute,
    #[property(optional)] flag: UnitFlag, #[property(default = 1)] usual: I32Attribute";

fn expand_format(arguments: &str, fields: &str, format: &str) -> syn::Result<proc_macro2::TokenStream> {
    let arguments = format!("name = \"t.op\", format = r\"{format}\", {arguments}");
    expand(tokens(&arguments), tokens(&format!("struct Op {{ {fields} }}")))
}

fn refused_with(arguments: &str, fields: &str, format: &str, message: &str) {
    let (found, place) = refusal(expand_format(arguments, fields, format));
    assert_eq!(found, message, "of {format}");
    assert_eq!(place, format!("r\"{format}\""));
}

fn refused(fields: &str, format: &str, message: &str) {
    refused_with("", fields, format, message);
}

fn accepted_with(arguments: &str, fields: &str, format: &str) {
    if let Err(error) = expand_format(arguments, fields, format) {
        panic!("{format} is refused: {error}");
    }
}

fn accepted(fields: &str, format: &str) {
    accepted_with("", fields, format);
}

const OPERAND: &str = "#[operand] a: I32";
const OPTIONAL: &str = "#[operand(optional)] a: I32";
const VARIADIC: &str = "#[operand(variadic)] a: I32";

#[test]
fn everything_in_one_form() {
    accepted(
        FIELDS,
        "$one (`else` $maybe^)? `[` $many `]` $needed (`with` $extra^)? (`flag` $flag^)? `=` $usual attr-dict `:` \
         type($one) (`or` type($maybe)^)? `[` type($many) `]` `->` type($result)",
    );
    accepted_with(
        "traits = [TERMINATOR]",
        "#[operand] on: I1, #[operand(variadic)] a: I32, #[operand(variadic)] b: I32, #[successor] x: AnyBlock,
         #[successor] y: AnyBlock",
        "$on `:` type($on) `,` $x($a) `,` $y($b) attr-dict",
    );
    accepted("#[region] body: AnyRegion, #[region(optional)] other: AnyRegion", "$body (`else` $other^)? attr-dict");
    accepted("#[region] body: AnyRegion, #[region] other: AnyRegion", "attr-dict-with-keyword $body (`else` $other^)?");
}

#[test]
fn syntax_errors_say_where() {
    refused(OPERAND, "$a `,", "a literal has no closing backtick (in the format, before \",\")");
    refused(OPERAND, "$b attr-dict", "the operation has nothing called `b` (in the format, before \"attr-dict\")");
    refused(OPERAND, "$ attr-dict", "the operation has nothing called `` (in the format, before \"attr-dict\")");
    refused(OPERAND, "attr-dict $a type($b)", "the operation has nothing called `b` (in the format, before \")\")");
    refused(OPERAND, "type $a", "expected `(` (in the format, before \"$a\")");
    refused(OPERAND, "# $a", "this begins no piece of a format (in the format, before \"# $a\")");
    refused(
        OPERAND,
        "types($a)",
        "`types` is no directive; there are type, operands, functional-type, attr-dict, attr-dict-with-keyword (in \
         the format, before \"($a)\")",
    );
    refused(OPTIONAL, "($a^) attr-dict", "an optional group ends in `)?` (in the format, before \"attr-dict\")");
    refused(OPTIONAL, "($a^", "expected `)` (in the format, at its end)");
}

#[test]
fn literals_are_single_tokens() {
    for literal in ["=>", "a b", "", "%", "1a", "a-b", "é", "<="] {
        let message = format!(
            "the literal `{literal}` is not one word or one of -> :: ... and - : , = {{ }} ( ) [ ] < > ? * + / | (in the \
             format, before \"{literal}` attr-dict\")"
        );
        refused("", &format!("`{literal}` attr-dict"), &message);
    }
    for literal in ["->", "::", "...", "word", "_a.b$1", "<", "|"] {
        accepted("", &format!("`{literal}` attr-dict"));
    }
    refused("", "`-` `>` attr-dict", "`-` and `>` would be printed as `->`");
}

#[test]
fn everything_is_written_once() {
    refused("", "", "a format must have `attr-dict` or `attr-dict-with-keyword`");
    refused("", "attr-dict attr-dict", "a format has one `attr-dict` or `attr-dict-with-keyword`");
    refused(OPERAND, "attr-dict `:` type($a)", "the format does not write the operand `a`");
    refused(OPERAND, "$a `,` $a attr-dict `:` type($a)", "the format writes the operand `a` twice");
    refused(OPERAND, "$a operands attr-dict `:` type($a)", "the format writes the operand `a` twice");
    refused(OPERAND, "$a attr-dict `:` type($a) type($a)", "the format writes the type of `a` twice");
    refused(OPERAND, "$a attr-dict `:` type($a) functional-type", "the format writes the type of `a` twice");
    refused("#[region] r: AnyRegion", "attr-dict", "the format does not write the region `r`");
    refused_with(
        "traits = [TERMINATOR]",
        "#[successor] s: AnyBlock",
        "attr-dict",
        "the format does not write the successor `s`",
    );
    refused("", "operands attr-dict", "`operands` stands for nothing: there are none");
    refused(
        "#[operand(optional)] a: I32, #[operand(variadic)] b: I32",
        "operands attr-dict",
        "`operands` does not say where one optional or variadic group ends",
    );
    accepted("#[operand] a: I32, #[operand(variadic)] b: I32", "operands attr-dict `:` functional-type");
    let result = "`$r` is a result: it stands before the operation, only its type can be here (in the format, before \
                  \"attr-dict\")";
    refused("#[result] r: I32", "$r attr-dict", result);
    refused("#[property] p: U32Attribute", "type($p)", "`p` has no type (in the format, at its end)");
}

#[test]
fn types_are_known() {
    let unknown = "the type of `a` is not known: write `type($a)`, or declare a rule that gives it";
    refused(OPERAND, "$a attr-dict", unknown);
    let two = "#[operand] a: I32, #[result] r: I32";
    accepted_with("rules = [same(a, r)]", two, "$a attr-dict `:` type($r)");
    accepted_with("rules = [same(a, r)]", two, "$a attr-dict `:` type($a)");
    accepted_with("rules = [derived(r from a, f, \"\")]", two, "$a attr-dict `:` type($a)");
    refused_with("rules = [derived(r from a, f, \"\")]", two, "$a attr-dict `:` type($r)", unknown);
    accepted("#[operand(only)] a: I32, #[result(only)] r: I32", "$a attr-dict");
    let constant = "#[result] r: I32, #[property] value: TypedAttribute";
    accepted_with("rules = [from_property(r, value)]", constant, "$value attr-dict");
    accepted_with("rules = [from_property(r, value)]", constant, "attr-dict");
    refused_with(
        "rules = [from_property(r, value)]",
        "#[result] r: I32, #[property(optional)] value: TypedAttribute",
        "attr-dict",
        "the type of `r` is not known: write `type($r)`, or declare a rule that gives it",
    );
    // A group that may be empty gives no type.
    refused_with(
        "rules = [same(many, r)]",
        "#[operand(variadic)] many: I32, #[result] r: I32",
        "`(` $many `)` attr-dict `:` type($many)",
        "the type of `r` is not known: write `type($r)`, or declare a rule that gives it",
    );
    refused_with(
        "rules = [same(a, r)]",
        "#[operand] a: I32, #[result(variadic)] r: I32",
        "$a attr-dict `:` type($a)",
        "how many results `r` has is not known: write `type($r)`",
    );
}

#[test]
fn optional_groups_are_told_by_an_anchor() {
    let anchor = "the optional group before this has no anchor, such as `$name^` (in the format, before \"attr-dict\")";
    refused(OPTIONAL, "(`x` $a)? attr-dict", anchor);
    refused(
        OPTIONAL,
        "$a^ attr-dict",
        "the anchor `$a^` is in no optional group (in the format, before \"attr-dict\")",
    );
    let two = "#[property(optional)] a: U32Attribute, #[property(optional)] b: U32Attribute";
    let second = "`$b^` is a second anchor of its group (in the format, before \")?\")";
    refused(two, "(`x` $a^ $b^)?", second);
    let always = "`$a^` is always there, so it decides nothing (in the format, before \"`:` type($a))? attr-dict\")";
    refused(OPERAND, "(`x` $a^ `:` type($a))? attr-dict", always);
    let mixed = "#[operand] a: I32, #[property(optional)] p: U32Attribute";
    let inside = "the operand `a` is always there, so it must not stand in an optional group";
    refused(mixed, "(`x` $p^ $a)? attr-dict `:` type($a)", inside);
    let type_inside = "`a` always has a type, so `type($a)` must not stand in an optional group";
    refused(mixed, "$a (`x` $p^ type($a))? attr-dict", type_inside);
    let dictionary = "the attribute dictionary must not stand in an optional group";
    refused("#[property(optional)] p: U32Attribute", "(`x` $p^ attr-dict)?", dictionary);
    let outside = "the property `p` may be absent, so it must stand in an optional group";
    refused("#[property(optional)] p: U32Attribute", "$p attr-dict", outside);
    let flag = "the flag `f` has no text of its own: write `` (`f` $f^)? ``";
    refused("#[property(default = ())] f: UnitFlag", "$f attr-dict", flag);
    let begin = "the optional group of `a` must begin with a literal, or with its anchor";
    refused(OPTIONAL, "(type($a) $a^)? attr-dict", begin);
    accepted(OPTIONAL, "(`x` $a^ `:` type($a))? attr-dict");
    accepted("#[property(optional)] p: SymbolName", "($p^)? attr-dict");
}

#[test]
fn one_token_tells_what_comes_next() {
    refused(
        "#[operand(variadic)] a: I32, #[operand(only)] b: I32",
        "$a `,` $b attr-dict `:` type($a)",
        "after `$a`, `,` could be its own or what follows",
    );
    refused(
        "#[operand(optional)] a: I32, #[operand(only)] b: I32",
        "$a $b attr-dict `:` type($a)",
        "after `$a`, an operand could be its own or what follows",
    );
    refused(OPTIONAL, "attr-dict `:` type($a) $a", "after `$a`, an operand could be its own or what follows");
    refused(
        "#[region] r: AnyRegion",
        "attr-dict $r",
        "after the place of the attribute dictionary, `{` could be its own or what follows; write \
         `attr-dict-with-keyword`",
    );
    refused(
        "#[property(optional)] p: U32Attribute, #[property(optional)] q: U32Attribute",
        "(`x` $p^)? (`x` $q^)? attr-dict",
        "after the place of the optional group of `$p`, `x` could be its own or what follows",
    );
    refused(
        VARIADIC,
        "`[` $a `]` attr-dict `:` type($a) `,`",
        "after `type($a)`, `,` could be its own or what follows",
    );
    refused(
        OPTIONAL,
        "`[` $a `]` attr-dict `:` type($a) `(` `)`",
        "after `type($a)`, `(` could be its own or what follows",
    );
    refused(
        "#[property] p: AnyAttribute",
        "$p attr-dict `:` `x`",
        "a string in `p` would take the `:` after it for the start of its own type; write another literal",
    );
    let fields = "#[operand(variadic)] a: I32, #[successor] s: AnyBlock";
    let message = "after `$s`, `(` could be its own or what follows";
    refused_with("traits = [TERMINATOR]", fields, "$s($a) `(` `)` attr-dict", message);
    // After a terminator no result stands.
    accepted_with("traits = [TERMINATOR]", VARIADIC, "attr-dict ($a^ `:` type($a))?");
    accepted(VARIADIC, "`(` $a `)` attr-dict `:` type($a)");
    accepted(
        "#[operand(variadic)] a: I32, #[operand(optional)] b: I32",
        "$a (`or` $b^)? attr-dict `:` functional-type",
    );
}

#[test]
fn forwarded_operands_belong_to_one_successor() {
    let fields = "#[operand(variadic)] a: I32, #[successor(variadic)] s: AnyBlock";
    let message = "`s` is not one successor: one operand group does not say which of them gets which operands";
    refused_with("traits = [TERMINATOR]", fields, "$s($a) attr-dict", message);
    let fields = "#[operand] a: I32, #[successor] s: AnyBlock";
    let message = "the operands `a` that `s` gets must be variadic";
    refused_with("traits = [TERMINATOR]", fields, "$s($a) attr-dict", message);
    let message = "`$s` is not an operand (in the format, before \"attr-dict\")";
    refused_with("traits = [TERMINATOR]", fields, "$s($s) attr-dict", message);
}
