//! zsmalloc's class table.

use slabscope_core::zsmalloc::{Geometry, Pool};
use slabscope_formats::zsmalloc_tables::{CLASS_COLUMNS, class_rows, write_tsv};
use slabscope_formats::zsmalloc_text::write_classes;
use yew::prelude::*;

use super::Shared;
use super::rows::{self, CLASSES};
use super::table::SizeTable;

#[derive(Properties, PartialEq)]
pub(super) struct ClassTableProps {
    pub(super) geometry: Shared,
    pub(super) size: u32,
    pub(super) pick: Callback<u32>,
}

/// Every distinct class.
#[component]
pub(super) fn ClassTable(props: &ClassTableProps) -> Html {
    let rows = use_memo(props.geometry.clone(), |geometry| rows::classes(&geometry.0));
    let copy = |text: fn(&Geometry) -> String| {
        let geometry = props.geometry.clone();
        Callback::from(move |()| text(&geometry.0))
    };
    let copies = vec![("Copy as the kernel prints it", copy(kernel_text)), ("Copy as TSV", copy(tsv))];
    html! {
        <SizeTable noun={("class", "classes")} columns={CLASSES} {rows} size={props.size} pick={props.pick.clone()} {copies} />
    }
}

/// The classes file of an empty pool.
fn kernel_text(geometry: &Geometry) -> String {
    let mut text = Vec::new();
    // Writing to memory cannot fail.
    let _ = write_classes(&Pool::new(geometry.clone()), &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

fn tsv(geometry: &Geometry) -> String {
    let mut text = Vec::new();
    // Writing to memory cannot fail.
    let _ = write_tsv(&CLASS_COLUMNS, class_rows(geometry), &mut text);
    String::from_utf8_lossy(&text).into_owned()
}
