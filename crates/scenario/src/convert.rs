//! What a side means to the models of core.

use slabscope_core::model::AnyConfig;
use slabscope_core::zsmalloc::{Bits, Config, Era};
use slabscope_core::{slub, workload, zblock};

use crate::choice::Allocator;
use crate::param::{Key, Value};
use crate::side::Side;

impl Side {
    /// The zsmalloc of this side (of its page size, if it has another allocator). It may be one that can't
    /// be built: core's `Constants` and `Geometry` say why, and the state stays as the reader set it.
    pub fn zsmalloc_config(&self) -> Config {
        Config {
            era: Era::from_name(&self.text(Key::Era)).unwrap_or_default(),
            bits: Bits::from_count(self.number(Key::Bits)).unwrap_or_default(),
            phys_bits: self.small(Key::PhysBits),
            page_shift: self.small(Key::PageShift),
            max_pages: self.small(Key::MaxPages),
            class_delta: match self.get(Key::ClassDelta) {
                Value::Number(delta) => u32::try_from(delta).ok(),
                _ => None,
            },
        }
    }

    /// The zblock of this side (of its page size, if it has another allocator). It may be one that does not exist:
    /// core's `Geometry` says why.
    pub fn zblock_config(&self) -> zblock::Config {
        zblock::Config {
            version: zblock::Version::from_name(&self.text(Key::Era)).unwrap_or_default(),
            page_shift: self.small(Key::PageShift),
        }
    }

    /// The SLUB of this side, with parameters that other allocators lack at their defaults. It may be impossible:
    /// core's `Geometry` says why.
    pub fn slub_config(&self) -> slub::Config {
        slub::Config {
            generation: slub::Generation::from_name(&self.text(Key::Era)).unwrap_or_default(),
            page_shift: self.small(Key::PageShift),
            cpus: self.count(Key::Cpus),
            min_objects: self.count(Key::MinObjects),
            min_order: self.small(Key::MinOrder),
            max_order: self.small(Key::MaxOrder),
            object_size: self.count(Key::ObjectSize),
        }
    }

    /// The allocator of this side, whichever it is.
    pub fn any_config(&self) -> AnyConfig {
        match self.allocator() {
            Allocator::Zsmalloc => AnyConfig::Zsmalloc(self.zsmalloc_config()),
            Allocator::Zblock => AnyConfig::Zblock(self.zblock_config()),
            Allocator::Slub => AnyConfig::Slub(self.slub_config()),
        }
    }

    /// The stream of operations. Allocators without compaction get none; a single SLUB cache has objects of one
    /// size.
    pub fn workload(&self) -> workload::Spec {
        workload::Spec {
            kind: workload::Kind::from_name(&self.text(Key::Workload)).unwrap_or(workload::Kind::Phases),
            dist: workload::SizeDist::from_name(&self.text(Key::SizeDist))
                .unwrap_or(workload::SizeDist::Uniform),
            fixed_size: match self.allocator() {
                Allocator::Slub => Some(self.count(Key::ObjectSize)).filter(|&size| size > 0),
                Allocator::Zsmalloc | Allocator::Zblock => None,
            },
            seed: self.number(Key::Seed),
            operations: self.count(Key::Operations),
            live: self.count(Key::Live),
            compact_every: match self.allocator() {
                Allocator::Zsmalloc | Allocator::Slub => self.count(Key::CompactEvery),
                Allocator::Zblock => 0,
            },
        }
    }

    /// Bytes of a page.
    pub fn page_bytes(&self) -> u32 {
        1 << self.small(Key::PageShift).min(31)
    }

    /// One line: "zsmalloc 6.12, 4 KiB pages, 8 pages per zspage".
    pub fn describe(&self) -> String {
        let head = format!("{} {}", self.allocator().label(), self.text(Key::Era));
        let page = format!("{} KiB pages", self.page_bytes() / 1024);
        match self.allocator() {
            Allocator::Zsmalloc => {
                let max = self.number(Key::MaxPages);
                let plural = if max == 1 { "" } else { "s" };
                let mut text = format!("{head}, {page}, {max} page{plural} per zspage");
                if self.number(Key::Bits) == 32 {
                    text.push_str(", 32-bit");
                }
                if let Value::Number(delta) = self.get(Key::ClassDelta) {
                    text.push_str(&format!(", classes every {delta} bytes"));
                }
                text
            }
            Allocator::Zblock => format!("{head}, {page}"),
            Allocator::Slub => {
                let (size, cpus) = (self.number(Key::ObjectSize), self.number(Key::Cpus));
                let plural = if cpus == 1 { "" } else { "s" };
                let objects =
                    if size == 0 { "kmalloc caches".to_owned() } else { format!("objects of {size} bytes") };
                format!("{head}, {page}, {objects}, {cpus} CPU{plural}")
            }
        }
    }

    fn small(&self, key: Key) -> u8 {
        u8::try_from(self.number(key)).unwrap_or(u8::MAX)
    }

    fn count(&self, key: Key) -> u32 {
        u32::try_from(self.number(key)).unwrap_or(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use slabscope_core::model::AnyConfig;
    use slabscope_core::zsmalloc::{Config, ConfigError, Era, Geometry};
    use slabscope_core::{slub, zblock};

    use crate::link::parse_fragment;

    #[test]
    fn defaults_are_those_of_core() {
        for era in Era::ALL {
            let (scenario, notices) = parse_fragment(&format!("era={}", era.name()));
            assert!(notices.is_empty(), "{notices:?}");
            assert_eq!(scenario.side(0).zsmalloc_config(), Config::default_for(era));
        }
    }

    #[test]
    fn what_does_not_build_is_kept_and_told_by_the_configuration() {
        let link = "v=1&b=32&pb=52";
        let (scenario, notices) = parse_fragment(link);
        assert!(notices.is_empty());
        assert_eq!(scenario.to_fragment(), link);
        let error = Geometry::new(&scenario.side(0).zsmalloc_config()).err();
        assert_eq!(error, Some(ConfigError::PhysBits { given: 52, most: 40 }));

        let (scenario, _) = parse_fragment("b=32&pb=40&mp=16&era=6.6");
        assert!(Geometry::new(&scenario.side(0).zsmalloc_config()).is_err());
    }

    #[test]
    fn a_title_says_what_matters() {
        let check = |link: &str, title: &str| {
            assert_eq!(parse_fragment(link).0.side(0).describe(), title);
        };
        check("", "zsmalloc 6.12, 4 KiB pages, 8 pages per zspage");
        check(
            "ps=14&mp=1&d=16&b=32",
            "zsmalloc 6.12, 16 KiB pages, 1 page per zspage, 32-bit, classes every 16 bytes",
        );
        check("a=zblock", "zblock mm0508, 4 KiB pages");
        check("a=slub&cpu=1&osz=192", "SLUB modern, 4 KiB pages, objects of 192 bytes, 1 CPU");
        check("a=slub", "SLUB modern, 4 KiB pages, kmalloc caches, 8 CPUs");
    }

    #[test]
    fn every_allocator_has_its_configuration() {
        let any = |link: &str| parse_fragment(link).0.side(0).any_config();
        assert_eq!(any(""), AnyConfig::Zsmalloc(Config::default_for(Era::default())));
        for version in zblock::Version::ALL {
            let config = zblock::Config { page_shift: 14, ..zblock::Config::default_for(version) };
            assert_eq!(any(&format!("a=zblock&era={}&ps=14", version.name())), AnyConfig::Zblock(config));
        }
        for generation in slub::Generation::ALL {
            let config = slub::Config::default_for(generation);
            let link = format!("a=slub&era={}", generation.name());
            assert_eq!(any(&format!("{link}&osz=auto")), AnyConfig::Slub(config));
            let set = format!("{link}&ps=14&cpu=4&mo=16&mino=1&maxo=4&osz=560");
            let expected = slub::Config {
                page_shift: 14,
                cpus: 4,
                min_objects: 16,
                min_order: 1,
                max_order: 4,
                object_size: 560,
                ..config
            };
            assert_eq!(any(&set), AnyConfig::Slub(expected));
        }
    }

    #[test]
    fn a_slub_cache_gets_objects_of_its_size() {
        let spec = |link: &str| parse_fragment(link).0.side(0).workload();
        assert_eq!(spec("a=slub&osz=192").fixed_size, Some(192));
        assert_eq!(spec("a=slub").fixed_size, None);
        assert_eq!(spec("").fixed_size, None);
        assert_eq!((spec("a=slub&c=100").compact_every, spec("a=zblock").compact_every), (100, 0));
    }
}
