//! SLUB's options in a kernel command line.

use slabscope_core::slub::{Config, Generation};
use slabscope_formats::{Format, Table, Value};

/// What a command line sets, as the kernel of a generation takes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BootOptions {
    /// `min_objects`.
    pub min_objects: Option<u32>,
    /// `min_order`.
    pub min_order: Option<u8>,
    /// `max_order`.
    pub max_order: Option<u8>,
    /// `nr_cpus`: no more CPUs than this.
    pub nr_cpus: Option<u32>,
    /// What was understood and changes nothing here, or was not, and why.
    pub notes: Vec<String>,
}

impl BootOptions {
    /// A setting with these options.
    pub fn over(&self, config: Config) -> Config {
        Config {
            min_objects: self.min_objects.unwrap_or(config.min_objects),
            min_order: self.min_order.unwrap_or(config.min_order),
            max_order: self.max_order.unwrap_or(config.max_order),
            cpus: self.nr_cpus.map_or(config.cpus, |most| config.cpus.min(most.max(1))),
            ..config
        }
    }
}

/// The first kernel command line among tables, as words.
pub fn command_line(tables: &[Table]) -> Option<String> {
    let table = tables.iter().find(|table| table.format() == Format::Cmdline)?;
    let row = table.rows().next()?;
    let word = |(name, value): (&String, Value<'_>)| match value {
        Value::Blank => name.clone(),
        Value::Int(number) => format!("{name}={number}"),
        Value::Text(text) => format!("{name}={text}"),
    };
    Some(table.columns().iter().zip(row.values()).map(word).collect::<Vec<_>>().join(" "))
}

/// Highest order that `max_order` is cut to.
const HIGHEST: u32 = 10;

/// Reads the options that say something about slabs.
///
/// Checked on running kernels: 6.12 takes `slab_` and `slub_` names and lets the later of minimum and maximum order
/// win; 6.1 takes `slub_` names only and leaves a minimum above the maximum as it is.
pub fn read_options(line: &str, generation: Generation) -> BootOptions {
    let mut options = BootOptions::default();
    let is_modern = generation == Generation::Modern;
    for word in line.split_ascii_whitespace() {
        let (name, value) = word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)));
        let parameter = name.strip_prefix("slub_").or_else(|| name.strip_prefix("slab_"));
        let too_new =
            name.starts_with("slab_") && !is_modern && !matches!(parameter, Some("nomerge" | "common"));
        match (parameter, name) {
            (Some(_), _) if too_new => {
                options.notes.push(format!("{name}: kernels of {} know slub_ names only", generation.name()));
            }
            (Some("min_objects"), _) => number(name, value, &mut options.notes, |given| {
                options.min_objects = Some(given);
            }),
            (Some("min_order"), _) => number(name, value, &mut options.notes, |given| {
                let given = given.min(u32::from(ORDERS)) as u8;
                options.min_order = Some(given);
                if is_modern && options.max_order.unwrap_or(3) < given {
                    options.max_order = Some(given);
                }
            }),
            (Some("max_order"), _) => number(name, value, &mut options.notes, |given| {
                let given = given.min(HIGHEST) as u8;
                options.max_order = Some(given);
                if is_modern && options.min_order.unwrap_or(0) > given {
                    options.min_order = Some(given);
                }
            }),
            (Some("debug"), _) => options.notes.push(format!(
                "{name}: debugging makes objects larger; sizes are taken as the slabinfo has them"
            )),
            (Some("nomerge" | "merge"), _) => options
                .notes
                .push(format!("{name}: which caches are merged is taken as the slabinfo has them")),
            (None, "nr_cpus") => {
                number(name, value, &mut options.notes, |given| options.nr_cpus = Some(given))
            }
            (None, "maxcpus" | "possible_cpus") => {
                options.notes.push(format!("{name}: the rule counts the CPUs that are present"))
            }
            _ => {}
        }
    }
    options
}

/// Highest order that is modelled.
const ORDERS: u8 = 15;

fn number(name: &str, value: Option<&str>, notes: &mut Vec<String>, set: impl FnOnce(u32)) {
    match value.and_then(|value| value.trim_matches('"').parse().ok()) {
        Some(given) => set(given),
        None => notes.push(format!("{name}: a number is needed")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(generation: Generation, line: &str, expected: (u32, u8, u8), notes: usize) {
        let options = read_options(line, generation);
        let config = options.over(Config { cpus: 8, ..Config::default_for(generation) });
        assert_eq!((config.min_objects, config.min_order, config.max_order), expected, "{line}");
        assert_eq!(options.notes.len(), notes, "{line}: {:?}", options.notes);
    }

    #[test]
    fn options_are_taken_as_the_kernel_takes_them() {
        use Generation::{Classic, Modern};
        check(Modern, "root=/dev/sda1 quiet", (0, 0, 3), 0);
        check(Modern, "slub_max_order=1 slab_min_objects=4", (4, 0, 1), 0);
        check(Modern, "slab_min_order=2 slab_max_order=1", (0, 1, 1), 0);
        check(Modern, "slab_max_order=1 slab_min_order=2", (0, 2, 2), 0);
        check(Modern, "slab_min_order=5", (0, 5, 5), 0);
        check(Modern, "slab_max_order=12", (0, 0, 10), 0);
        check(Classic, "slub_min_order=2 slub_max_order=1", (0, 2, 1), 0);
        check(Classic, "slab_min_order=2 slub_max_order=1", (0, 0, 1), 1);
        check(Modern, "slub_max_order=x slub_debug=FZ slab_nomerge maxcpus=1", (0, 0, 3), 4);
        check(Classic, "slub_min_order=99", (0, 15, 3), 0);
    }

    #[test]
    fn a_pasted_line_is_read_as_it_was() {
        let paste = slabscope_formats::read(
            "Kernel command line: root=/dev/sda1 ro slub_max_order=0 slub_min_objects=4\n",
        );
        let line = command_line(paste.tables()).unwrap_or_default();
        let options = read_options(&line, Generation::Modern);
        assert_eq!((options.max_order, options.min_objects), (Some(0), Some(4)), "{line}");
    }

    #[test]
    fn fewer_cpus_are_no_more_than_there_are() {
        let cpus = |line: &str| {
            read_options(line, Generation::Modern).over(Config { cpus: 8, ..Config::default() }).cpus
        };
        assert_eq!((cpus("nr_cpus=4"), cpus("nr_cpus=64"), cpus("nr_cpus=0")), (4, 8, 1));
    }
}
