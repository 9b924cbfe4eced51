//! The stock constraints.

use fermata_ir::constraints::*;
use fermata_ir::operation::{AttributeConstraint, TypeConstraint};
use fermata_ir::types::FloatKind;
use fermata_ir::{Attribute, Context, Type};

use crate::dialect::{Predicate, RefType, Space, TokenType};
use crate::support::context;

/// Some types, with their texts.
fn types(context: &Context) -> Vec<(&'static str, Type)> {
    use fermata_ir::types::DialectType;
    let integer = |width| Type::integer(context, width);
    let f32 = Type::float(context, FloatKind::F32);
    vec![
        ("i1", integer(1)),
        ("i32", integer(32)),
        ("i64", integer(64)),
        ("f32", f32),
        ("index", Type::index_type(context)),
        ("2xi1", Type::vector(context, 2, integer(1))),
        ("2xi32", Type::vector(context, 2, integer(32))),
        ("2xf32", Type::vector(context, 2, f32)),
        ("fn", Type::function(context, &[], &[])),
        ("token", TokenType.intern(context)),
        ("ref", RefType { pointee: f32, space: Space::Local }.intern(context)),
    ]
}

fn accepted<C: TypeConstraint>() -> String {
    let context = context();
    let all = types(&context).into_iter().filter(|&(_, ty)| C::accepts(&context, ty));
    let names: Vec<_> = all.map(|(name, _)| name).collect();
    if let Some(only) = C::only(&context) {
        assert!(C::accepts(&context, only), "{}", C::DESCRIPTION);
        assert!(names.len() <= 1, "{}", C::DESCRIPTION);
    }
    names.join(" ")
}

#[test]
fn sets_of_types() {
    assert_eq!(accepted::<AnyType>(), "i1 i32 i64 f32 index 2xi1 2xi32 2xf32 fn token ref");
    assert_eq!(accepted::<AnyInteger>(), "i1 i32 i64");
    assert_eq!(accepted::<AnyFloat>(), "f32");
    assert_eq!(accepted::<IntegerLike>(), "i1 i32 i64 2xi1 2xi32");
    assert_eq!(accepted::<FloatLike>(), "f32 2xf32");
    assert_eq!(accepted::<BooleanLike>(), "i1 2xi1");
    assert_eq!(accepted::<AnyVector>(), "2xi1 2xi32 2xf32");
    assert_eq!(accepted::<FunctionType>(), "fn");
    assert_eq!(accepted::<I1>(), "i1");
    assert_eq!(accepted::<I32>(), "i32");
    assert_eq!(accepted::<F32>(), "f32");
    assert_eq!(accepted::<Index>(), "index");
    assert_eq!(accepted::<SignlessInteger<64>>(), "i64");
    assert_eq!(accepted::<TypeIs<TokenType>>(), "token");
    assert_eq!(accepted::<VectorOf<I32>>(), "2xi32");
    assert_eq!(accepted::<AnyOf<(I1, TypeIs<RefType>, VectorOf<AnyFloat>)>>(), "i1 2xf32 ref");
}

#[test]
fn descriptions_are_put_together() {
    assert_eq!(SignlessInteger::<24>::DESCRIPTION, "i24");
    assert_eq!(TypeIs::<RefType>::DESCRIPTION, "!d.ref");
    assert_eq!(VectorOf::<I32>::DESCRIPTION, "vector of i32");
    assert_eq!(AnyOf::<(I1, TypeIs<RefType>, VectorOf<F32>)>::DESCRIPTION, "i1 or !d.ref or vector of f32");
}

/// Checks that a constraint takes exactly these of some attributes, and that they are what their values encode to.
fn accepts<C: AttributeConstraint>(expected: &[&str]) {
    let context = context();
    let i32 = Type::integer(&context, 32);
    let f32 = Type::float(&context, FloatKind::F32);
    let all = [
        ("unit", Attribute::unit(&context)),
        ("true", Attribute::bool(&context, true)),
        ("i32", Attribute::integer(&context, -5, i32)),
        ("i64", Attribute::integer(&context, 5, Type::integer(&context, 64))),
        ("ui32", U32Attribute::encode(&context, 7)),
        ("ui64", U64Attribute::encode(&context, 7)),
        ("string", Attribute::string(&context, "s")),
        ("empty", Attribute::string(&context, "")),
        ("type", Attribute::type_attribute(&context, f32)),
        ("symbol", Attribute::symbol(&context, "s")),
        ("array", Attribute::array(&context, &[])),
        ("dense", Attribute::dense_i32(&context, &[1])),
        ("dictionary", Attribute::dictionary(&context, fermata_ir::Dictionary::EMPTY)),
        ("keyword", Predicate::encode(&context, Predicate::Equal)),
    ];
    let mut found = Vec::new();
    for (name, attribute) in all {
        if let Some(value) = C::decode(&context, attribute) {
            assert_eq!(C::encode(&context, value), attribute, "{} of {name}", C::DESCRIPTION);
            found.push(name);
        }
    }
    assert_eq!(found, expected, "{}", C::DESCRIPTION);
}

#[test]
fn sets_of_attributes() {
    let all = [
        "unit",
        "true",
        "i32",
        "i64",
        "ui32",
        "ui64",
        "string",
        "empty",
        "type",
        "symbol",
        "array",
        "dense",
        "dictionary",
        "keyword",
    ];
    accepts::<AnyAttribute>(&all);
    accepts::<TypedAttribute>(&["true", "i32", "i64", "ui32", "ui64"]);
    accepts::<TypeAttribute>(&["type"]);
    accepts::<StringAttribute>(&["string", "empty"]);
    accepts::<SymbolName>(&["string"]);
    accepts::<SymbolReference>(&["symbol"]);
    accepts::<UnitFlag>(&["unit"]);
    accepts::<BoolAttribute>(&["true"]);
    accepts::<I32Attribute>(&["i32"]);
    accepts::<I64Attribute>(&["i64"]);
    accepts::<U32Attribute>(&["ui32"]);
    accepts::<U64Attribute>(&["ui64"]);
    accepts::<IntegerAttribute>(&["true", "i32", "i64", "ui32", "ui64"]);
    accepts::<FloatAttribute>(&[]);
    accepts::<ArrayAttribute>(&["array"]);
    accepts::<DenseI32Attribute>(&["dense"]);
    accepts::<DictionaryAttribute>(&["dictionary"]);
    accepts::<Predicate>(&["keyword"]);
}
