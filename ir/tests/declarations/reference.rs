//! The reference page says what is declared.

use fermata_ir::reference::reference_page;

use crate::dialect::D;

/// The section of the page that begins with this heading.
fn section(heading: &str) -> String {
    let page = reference_page(&D);
    let start = page.find(&format!("### `{heading}`\n")).unwrap_or_else(|| panic!("no {heading} in {page}"));
    let rest = &page[start..];
    let end = rest[3..].find("\n##").map_or(rest.len(), |end| end + 4);
    rest[..end].trim_end().to_owned()
}

#[test]
fn an_operation() {
    assert_eq!(
        section("d.add"),
        "### `d.add`

One type for all.

```text
%sum = `d.add` %left `,` %right {attributes}? `:` type(%sum)
```

| operand | type |  |
|---|---|---|
| `left` | signless integer | The one. |
| `right` | signless integer | The other. |

| result | type |  |
|---|---|---|
| `sum` | signless integer |  |

* `left`, `right` and `sum` have the same type

Traits: `PURE`, `COMMUTATIVE`"
    );
}

#[test]
fn properties() {
    assert_eq!(
        section("d.properties"),
        "### `d.properties`

Properties of all kinds of presence.

```text
`d.properties` count (`name` name)? (`volatile` volatile)? (`align` align)? (link)? {attributes}?
```

| property | what it is |  |
|---|---|---|
| `count` | unsigned 32-bit integer (ui32) | How many. |
| `name` | string, optional |  |
| `volatile` | flag (unit), optional |  |
| `align` | unsigned 32-bit integer (ui32), by default `4 : ui32` |  |
| `link` | symbol name (a string that is not empty), optional |  |
| `extra` | any attribute, optional | Has no place of its own. |"
    );
}

#[test]
fn control_flow_and_regions() {
    let branch = section("d.cond_br");
    assert!(
        branch.contains(
            "`d.cond_br` %condition `,` ^yes (`(` %yes_arguments : type(%yes_arguments), ... `)`)? `,` ^no (`(` \
             %no_arguments : type(%no_arguments), ... `)`)? {attributes}?"
        ),
        "{branch}"
    );
    assert!(branch.contains("| `yes` | one |  |"), "{branch}");
    assert!(branch.contains("Interfaces: `Branch`"), "{branch}");
    let regions = section("d.optional_region");
    assert!(
        regions.contains("`d.optional_region` (`attributes` {attributes})? {body} (`also` {extra?})?"),
        "{regions}"
    );
    assert!(regions.contains("| `extra` | one or none |  |"), "{regions}");
    assert!(section("d.pair").contains("* the type of `pair` is the pair of `part`"));
    assert!(section("d.constant").contains("* the type of `result` is that of `value`"));
}

#[test]
fn types_and_attributes() {
    assert_eq!(
        section("!d.ref"),
        "### `!d.ref`

A reference.

```text
!d.ref<pointee, space>
```

| parameter | what it is |  |
|---|---|---|
| `pointee` | type | What it refers to. |
| `space` | one of `local`, `read_only` |  |"
    );
    assert!(section("!d.all").contains("!d.all<small, large, signed, truth, text, list, value(, last)?>"));
    assert!(section("!d.maybe").contains("!d.maybe(<width>)?"));
    assert!(!section("!d.token").contains("```"));
    assert!(section("#d.predicate").contains("| `keyword` | one of `equal`, `less_than` |"));
}

#[test]
fn the_index_leads_to_the_sections() {
    let page = reference_page(&D);
    assert!(page.starts_with("# The d dialect\n\nEvery feature of a declaration.\n\n## Operations\n"), "{page}");
    assert!(page.contains("| [`d.cond_br`](#dcond_br) | A branch. |"), "{page}");
}
