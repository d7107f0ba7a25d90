//! One module per command.

pub(crate) mod case;
pub(crate) mod classes;
pub(crate) mod constants;
pub(crate) mod inspect;
pub(crate) mod link;
pub(crate) mod options;
pub(crate) mod replay;
pub(crate) mod slub;
pub(crate) mod slub_whatif;
pub(crate) mod svg;
pub(crate) mod whatif;
pub(crate) mod zblock;
