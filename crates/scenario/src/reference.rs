//! The reference of all link keys, made from the table.

use std::fmt::Write;

use crate::choice::{Allocator, View};
use crate::param::{Group, Kind, Param, Value};
use crate::side::Side;
use crate::table::PARAMS;

/// Markdown: a section per group, a table row per key, the choices of the lists below.
pub fn reference_markdown() -> String {
    let side = Side::default();
    let mut out = String::new();
    for group in Group::ALL {
        // Writing to a String can't fail.
        let _ = writeln!(
            out,
            "## {}\n\n| key | what | values | default | for |\n|---|---|---|---|---|",
            group.label()
        );
        let rows = || PARAMS.iter().filter(|param| param.group == group);
        for param in rows() {
            let _ = writeln!(
                out,
                "| `{}` | {}: {} | {} | {} | {} |",
                param.name,
                param.label,
                param.help,
                values(param),
                default(param, &side),
                scope(param)
            );
        }
        out.push('\n');
        for param in rows() {
            for allocator in Allocator::ALL {
                list(&mut out, param, *allocator);
            }
        }
    }
    out
}

fn values(param: &Param) -> String {
    match param.kind {
        Kind::Integer { .. } => param.range(),
        Kind::Choice { .. } => "a name of the list below".to_owned(),
        Kind::Text { most_bytes, .. } => format!("a text of at most {most_bytes} bytes"),
    }
}

/// The default of an untouched scenario of the first allocator that the key is for.
fn default(param: &Param, side: &Side) -> String {
    let mut side = side.clone();
    if let Some(allocator) = param.allocators.first() {
        // Every allocator of the table is one of the list.
        let _ = side.set_text(crate::Key::Allocator, allocator.name());
    }
    match (side.get(param.key), param.kind) {
        (Value::Auto, Kind::Text { .. }) => "none".to_owned(),
        (value, _) => format!("`{value}`"),
    }
}

fn scope(param: &Param) -> String {
    let names = |all: usize, some: Vec<&'static str>| {
        if some.len() == all { None } else { Some(some.join(", ")) }
    };
    let allocators = names(Allocator::ALL.len(), param.allocators.iter().map(|one| one.label()).collect());
    let views = names(View::ALL.len(), param.views.iter().map(|one| one.label()).collect());
    match (allocators, views) {
        (None, None) => "everything".to_owned(),
        (Some(only), None) | (None, Some(only)) => only,
        (Some(allocators), Some(views)) => format!("{allocators}; {views}"),
    }
}

/// The choices of a key; of a key whose choices depend on the allocator, those of this one.
fn list(out: &mut String, param: &Param, allocator: Allocator) {
    let mut side = Side::default();
    let first = param.choices(&side);
    let _ = side.set_text(crate::Key::Allocator, allocator.name());
    let choices = param.choices(&side);
    if choices.is_empty() || (allocator != Allocator::ALL[0] && choices == first) {
        return;
    }
    let depends = Allocator::ALL.iter().any(|other| {
        let mut side = Side::default();
        let _ = side.set_text(crate::Key::Allocator, other.name());
        param.choices(&side) != first
    });
    let of = if depends { format!(" ({})", allocator.label()) } else { String::new() };
    let names: Vec<String> =
        choices.iter().map(|choice| format!("`{}` {}", choice.value, choice.label)).collect();
    let _ = writeln!(out, "`{}`{of}: {}.\n", param.name, names.join("; "));
}

#[cfg(test)]
mod tests {
    use super::reference_markdown;
    use crate::table::PARAMS;

    #[test]
    fn every_key_and_every_choice_is_in_it() {
        let text = reference_markdown();
        for param in &PARAMS {
            assert_eq!(text.matches(&format!("\n| `{}` |", param.name)).count(), 1, "{}", param.name);
        }
        for name in ["`4.5-afheadbehind`", "`mm0508`", "`2.6.26+rfc-skip`", "`2016-more-pages`", "`class-rw`"]
        {
            assert!(text.contains(name), "{name}");
        }
        assert_eq!(text.matches("\n`view`").count(), 1);
        assert_eq!(text.matches("\n`era` (").count(), 3);
    }
}
