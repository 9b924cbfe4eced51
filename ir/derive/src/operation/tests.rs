//! What declarations of operations are refused, with the place that the message points at.

use super::expand;
use crate::testing::{refusal, tokens};

/// Declares `struct Op { fields }` with these arguments.
fn declare(arguments: &str, fields: &str) -> syn::Result<proc_macro2::TokenStream> {
    expand(tokens(arguments), tokens(&format!("pub struct Op {{ {fields} }}")))
}

/// Asserts that a declaration named `t.op` is refused with this message, which points at `place`.
fn refused(arguments: &str, fields: &str, message: &str, place: &str) {
    let found = refusal(declare(&format!("name = \"t.op\", {arguments}"), fields));
    assert_eq!((found.0.as_str(), found.1.as_str()), (message, place));
}

#[test]
fn the_name_is_needed_and_has_a_dialect() {
    let (message, place) = refusal(declare("", ""));
    assert_eq!((message.as_str(), place.as_str()), ("an operation needs `name = \"dialect.name\"`", "Op"));
    let message = "an operation's name is `dialect.name`, of lower-case letters, digits and underscores";
    for name in ["op", "t.", ".op", "T.op", "t.o p", "t.1", "t..op", "t.ö"] {
        let found = refusal(declare(&format!("name = \"{name}\""), ""));
        assert_eq!((found.0.as_str(), found.1), (message, format!("\"{name}\"")));
    }
}

#[test]
fn arguments_are_known_and_given_once() {
    refused("form = \"\"", "", "expected `name`, `traits`, `interfaces`, `rules` or `format`", "form");
    refused("traits = [PURE], traits = []", "", "`traits` is given twice", "traits");
    refused("traits = [PURE, PURE]", "", "the trait PURE is given twice", "PURE");
    refused("interfaces = [Fold, a::Fold]", "", "the interface Fold is given twice", "Fold");
    refused(
        "interfaces = [Syntax], format = \"attr-dict\"",
        "",
        "an operation has a `format` or the interface Syntax, not both",
        "\"attr-dict\"",
    );
}

#[test]
fn the_item_is_a_plain_structure_with_named_fields() {
    let generic = refusal(expand(tokens("name = \"t.op\""), tokens("struct Op<T> { }")));
    assert_eq!(generic, ("an operation has no generic parameters".to_owned(), "<T>".to_owned()));
    let tuple = refusal(expand(tokens("name = \"t.op\""), tokens("struct Op(#[operand] I32);")));
    assert_eq!(tuple.0, "fields must have names");
    assert!(expand(tokens("name = \"t.op\""), tokens("enum Op {}")).is_err());
    assert!(expand(tokens("name = \"t.op\""), tokens("pub struct Op;")).is_ok());
}

#[test]
fn a_field_has_one_mark() {
    let message = "a field must have exactly one of #[operand], #[result], #[property], #[region], #[successor]";
    refused("", "a: I32", message, "a");
    refused("", "#[operand] #[result] a: I32", message, "a");
    refused(
        "",
        "#[operand] #[allow(x)] a: I32",
        "a field of a declaration has its mark and its documentation",
        "#[allow(x)]",
    );
}

#[test]
fn options_fit_their_mark() {
    let unknown = "unknown option `many`; expected optional, variadic, only or default";
    refused("", "#[operand(many)] a: I32", unknown, "many");
    refused("", "#[operand(optional, variadic)] a: I32", "`variadic` includes none already", "optional");
    refused("", "#[operand(default = 1)] a: I32", "only a property has a default", "1");
    let property = "a property is `optional`, has a `default`, or is required";
    refused("", "#[property(variadic)] a: I32", property, "variadic");
    refused(
        "",
        "#[property(optional, default = 1)] a: I32",
        "a property that has a default is always there",
        "optional",
    );
    refused("", "#[result(only, variadic)] a: I32", "`only` is for operands, and for a single result", "only");
    refused("", "#[region] a: Block", "expected `AnyRegion`", "Block");
    refused("traits = [TERMINATOR]", "#[successor] a: AnyRegion", "expected `AnyBlock`", "AnyRegion");
}

#[test]
fn names_are_distinct_and_free() {
    refused("", "#[operand] a: I32, #[result] a: I32", "the operand above is called `a` already", "a");
    refused("", "#[operand] build: I32", "`build` is a method of every operation's view", "build");
    refused("", "#[operand] r#op: I32", "`r#op` is a method of every operation's view", "r#op");
}

#[test]
fn groups_can_be_told_apart() {
    refused(
        "",
        "#[result(variadic)] a: I32, #[result(optional)] b: I32",
        "at most one result group may be optional or variadic",
        "b",
    );
    let last = "only the last group may be optional or variadic";
    refused("", "#[region(variadic)] a: AnyRegion, #[region] b: AnyRegion", last, "a");
    refused("traits = [TERMINATOR]", "#[successor(optional)] a: AnyBlock, #[successor] b: AnyBlock", last, "a");
    let operands = "#[operand(variadic)] a: I32, #[operand] b: I32, #[operand(optional)] c: I32";
    assert!(declare("name = \"t.op\"", operands).is_ok(), "the sizes of operand groups are recorded");
}

#[test]
fn traits_agree_with_the_fields() {
    let isolated = "an operation that is isolated from above has no operands, results or successors";
    for field in ["#[operand] a: I32", "#[result] a: I32"] {
        refused("traits = [ISOLATED_FROM_ABOVE]", field, isolated, "ISOLATED_FROM_ABOVE");
    }
    let successor = "an operation that has successors needs the trait TERMINATOR";
    refused("", "#[successor] next: AnyBlock", successor, "next");
    let constant = "a constant has no operands, one result, and the property `value`";
    refused("traits = [CONSTANT_LIKE]", "#[result] result: I32", constant, "CONSTANT_LIKE");
    refused("traits = [CONSTANT_LIKE]", "#[property] value: TypedAttribute", constant, "CONSTANT_LIKE");
    refused("traits = [SYMBOL]", "", "a symbol has the property `sym_name`", "SYMBOL");
    let exchange = "an operation with fewer than two operands has nothing to exchange";
    refused("traits = [COMMUTATIVE]", "#[operand] a: I32", exchange, "COMMUTATIVE");
    let itself = "an operation that can be applied to its own result has one operand and one result";
    refused("traits = [INVOLUTION]", "#[operand] a: I32, #[operand] b: I32, #[result] c: I32", itself, "INVOLUTION");
    refused("traits = [RETURN_LIKE]", "", "RETURN_LIKE needs the trait TERMINATOR", "RETURN_LIKE");
    refused("traits = [SINGLE_BLOCK]", "", "this trait is about regions, and there are none", "SINGLE_BLOCK");
}

#[test]
fn rules_name_what_there_is() {
    let fields = "#[operand] a: I32, #[result] b: I32, #[property] c: TypeAttribute";
    refused("rules = [equal(a, b)]", fields, "expected `same`, `derived` or `from_property`", "equal");
    refused("rules = [same(a)]", fields, "`same` compares at least two groups", "same");
    refused("rules = [same(a, a)]", fields, "`a` stands here twice", "a");
    refused("rules = [same(a, c)]", fields, "there is no operand or result called `c`", "c");
    refused("rules = [same(a, d)]", fields, "there is no operand or result called `d`", "d");
    refused("rules = [derived(b off a, f, \"\")]", fields, "expected `from`", "off");
    refused("rules = [derived(b from b, f, \"\")]", fields, "a type is derived from that of another group", "b");
    refused("rules = [from_property(b, a)]", fields, "there is no property called `a`", "a");
}

/// The parameters of the builder of a declaration, without blanks.
fn parameters(arguments: &str, fields: &str, function: &str) -> String {
    let expanded =
        declare(&format!("name = \"t.op\", {arguments}"), fields).expect("the declaration is good").to_string();
    let start = expanded.find(&format!("pub fn {function} (")).expect("there is a builder");
    let end = start + expanded[start..].find("->").expect("it gives something");
    expanded[start..end].replace(' ', "").replace("::fermata_ir::", "").replace("::core::option::", "")
}

#[test]
fn the_builder_takes_what_does_not_follow() {
    let fields = "#[operand] a: I32, #[operand(optional)] b: I32, #[operand(variadic)] c: I32, #[result] r: I32,
        #[property] p: I32Attribute, #[property(optional)] q: I32Attribute, #[property(default = 1)] s: I32Attribute,
        #[successor] t: AnyBlock, #[region] u: AnyRegion, #[region(variadic)] v: AnyRegion";
    assert_eq!(
        parameters("traits = [TERMINATOR]", fields, "build"),
        "pubfnbuild(builder:&mutBuilder<'_>,a:ValueId,b:Option<ValueId>,c:&[ValueId],r:Type,\
         p:<I32Attributeasoperation::AttributeConstraint>::Value<'_>,t:BlockId,v:usize)"
    );
    let same = parameters("traits = [TERMINATOR], rules = [same(a, r)]", fields, "build");
    assert!(!same.contains("r:Type"), "{same}");
    let from_group = parameters("traits = [TERMINATOR], rules = [same(c, r)]", fields, "build");
    assert!(from_group.contains("r:Type"), "a group that may be empty has no type: {from_group}");
}

#[test]
fn an_isolated_operation_gets_its_body_created() {
    let fields = "#[property] p: I32Attribute, #[region(optional)] body: AnyRegion";
    assert_eq!(
        parameters("traits = [ISOLATED_FROM_ABOVE]", fields, "create_body"),
        "pubfncreate_body(context:&Context,location:Location,\
         p:<I32Attributeasoperation::AttributeConstraint>::Value<'_>,body:bool,)"
    );
}
