//! zsmalloc written a second time, straight from its rules in the plainest way: maps, vectors and no thought
//! of speed. It shares no code with the model in core, so that a mistake has to be made twice to go unseen.

use std::collections::{BTreeMap, HashMap, VecDeque};

use slabscope_core::zsmalloc::Config;

/// A size class: what its index, size and zspages are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlowClass {
    /// Class index.
    pub index: usize,
    /// Bytes of an object.
    pub size: usize,
    /// Pages of a zspage.
    pub pages: usize,
    /// Objects of a zspage.
    pub objects: usize,
}

/// A zspage.
#[derive(Clone, Debug)]
pub struct SlowZspage {
    /// Index of its class.
    pub class: usize,
    /// What lies in each place.
    pub places: Vec<Option<u32>>,
    /// Free places; the last one is handed out next.
    free: Vec<usize>,
}

impl SlowZspage {
    fn used(&self) -> usize {
        self.places.iter().flatten().count()
    }

    fn is_full(&self) -> bool {
        self.used() == self.places.len()
    }

    fn take(&mut self, object: u32) -> usize {
        let place = self.free.pop().unwrap_or(usize::MAX);
        self.places[place] = Some(object);
        place
    }

    fn give(&mut self, place: usize) {
        self.places[place] = None;
        self.free.push(place);
    }
}

/// The pool.
#[derive(Clone, Debug)]
pub struct SlowPool {
    era: &'static str,
    page: usize,
    handle: usize,
    min: usize,
    delta: usize,
    /// Class of every index.
    pub table: Vec<SlowClass>,
    /// Zspages by number.
    pub zspages: BTreeMap<u32, SlowZspage>,
    lists: HashMap<(usize, usize), VecDeque<u32>>,
    objects: HashMap<u32, (u32, usize)>,
    created: u32,
    /// Pages that compaction freed.
    pub compacted: usize,
}

impl SlowPool {
    /// An empty pool of a configuration that can be built.
    pub fn new(config: &Config) -> Self {
        let era = config.era.name();
        let (bits, page) = (usize::from(config.bits.count()), config.page_bytes() as usize);
        let tag = usize::from(era != "6.12");
        let index_bits = bits - usize::from(config.phys_bits - config.page_shift) - tag;
        let min = 32.max((usize::from(config.max_pages) * page).checked_shr(index_bits as u32).unwrap_or(0));
        let delta = config.class_delta.map_or(page / 256, |delta| delta as usize);
        let mut table: Vec<SlowClass> = Vec::new();
        let mut index = (page - min).div_ceil(delta);
        loop {
            let size = (min + index * delta).min(page);
            let pages = chain(era, size, page, usize::from(config.max_pages));
            let own = SlowClass { index, size, pages, objects: pages * page / size };
            let merged = table.last().filter(|above| (above.pages, above.objects) == (pages, own.objects));
            table.push(merged.copied().unwrap_or(own));
            if index == 0 {
                break;
            }
            index -= 1;
        }
        table.reverse();
        Self {
            era,
            page,
            handle: bits / 8,
            min,
            delta,
            table,
            zspages: BTreeMap::new(),
            lists: HashMap::new(),
            objects: HashMap::new(),
            created: 0,
            compacted: 0,
        }
    }

    fn is_new(&self) -> bool {
        matches!(self.era, "6.6" | "6.12")
    }

    /// Fullness group of a zspage.
    pub fn group(&self, zspage: u32) -> usize {
        let zspage = &self.zspages[&zspage];
        let (used, all) = (zspage.used(), zspage.places.len());
        match (used, self.is_new()) {
            (0, _) => 0,
            (_, true) if used == all => 11,
            (_, true) => 100 * used / all / 10 + 1,
            (_, false) if used == all => 3,
            (_, false) if used <= 3 * all / 4 => 1,
            (_, false) => 2,
        }
    }

    /// Partly filled groups, the fullest first.
    fn fullest_first(&self) -> Vec<usize> {
        if self.is_new() { (1..=10).rev().collect() } else { vec![2, 1] }
    }

    /// Zspages of a group of a class, first to last.
    pub fn list(&self, class: usize, group: usize) -> Vec<u32> {
        self.lists.get(&(class, group)).map(|list| list.iter().copied().collect()).unwrap_or_default()
    }

    fn first(&self, class: usize, groups: &[usize]) -> Option<u32> {
        groups.iter().find_map(|&group| self.list(class, group).first().copied())
    }

    fn unlist(&mut self, zspage: u32) {
        for list in self.lists.values_mut() {
            list.retain(|&other| other != zspage);
        }
    }

    fn enlist(&mut self, zspage: u32) {
        let group = self.group(zspage);
        let used = self.zspages[&zspage].used();
        let class = self.zspages[&zspage].class;
        let head = self.list(class, group).first().map(|head| self.zspages[head].used());
        let list = self.lists.entry((class, group)).or_default();
        let almost_full = !matches!(self.era, "6.6" | "6.12") && group == 2;
        let Some(head) = head else {
            list.push_front(zspage);
            return;
        };
        match self.era {
            "4.5" if used < head => list.push_back(zspage),
            "4.5-afhead" if used < head && !almost_full => list.push_back(zspage),
            "4.5-behind" | "6.1" if used < head => list.insert(1, zspage),
            "4.5-afheadbehind" if used < head && !almost_full => list.insert(1, zspage),
            "4.2-rfc3" if used >= head => {
                list.rotate_left(1);
                list.push_front(zspage);
            }
            "4.2-rfc3af" if used >= head || almost_full => {
                list.rotate_left(1);
                list.push_front(zspage);
            }
            _ => list.push_front(zspage),
        }
    }

    /// Moves a zspage to another list only if the group it was in is no longer its own.
    fn regroup(&mut self, zspage: u32, was: usize) {
        if self.group(zspage) != was {
            self.unlist(zspage);
            self.enlist(zspage);
        }
    }

    /// Allocates; gives class index, zspage and place.
    pub fn malloc(&mut self, object: u32, size: usize) -> Option<(usize, u32, usize)> {
        if size == 0 || size > self.page || self.objects.contains_key(&object) {
            return None;
        }
        let index = (size + self.handle).saturating_sub(self.min).div_ceil(self.delta);
        let class = self.table[index.min(self.table.len() - 1)];
        let found = self.first(class.index, &self.fullest_first());
        let zspage = found.unwrap_or_else(|| {
            self.created += 1;
            let free = (0..class.objects).rev().collect();
            let made = SlowZspage { class: class.index, places: vec![None; class.objects], free };
            self.zspages.insert(self.created, made);
            self.created
        });
        let was = self.group(zspage);
        let place = self.zspages.get_mut(&zspage)?.take(object);
        self.objects.insert(object, (zspage, place));
        self.regroup(zspage, was);
        Some((class.index, zspage, place))
    }

    /// Frees; gives zspage, place and whether the zspage went too.
    pub fn free(&mut self, object: u32) -> Option<(u32, usize, bool)> {
        let (zspage, place) = self.objects.remove(&object)?;
        let was = self.group(zspage);
        self.zspages.get_mut(&zspage)?.give(place);
        let empty = self.zspages[&zspage].used() == 0;
        if empty {
            self.unlist(zspage);
            self.zspages.remove(&zspage);
        } else {
            self.regroup(zspage, was);
        }
        Some((zspage, place, empty))
    }

    /// Zspages of a class that could be freed by moving objects.
    fn gain(&self, class: SlowClass) -> usize {
        let zspages = self.zspages.values().filter(|zspage| zspage.class == class.index);
        zspages.map(|zspage| zspage.places.len() - zspage.used()).sum::<usize>() / class.objects
    }

    /// Compacts every class; gives objects moved and pages freed.
    pub fn compact(&mut self) -> (usize, usize) {
        let mut classes = self.table.clone();
        classes.dedup();
        let (mut moved, mut freed) = (0, 0);
        for class in classes.into_iter().rev() {
            let before = self.zspages.len();
            moved += if self.is_new() { self.compact_new(class) } else { self.compact_old(class) };
            freed += (before - self.zspages.len()) * class.pages;
        }
        self.compacted += freed;
        (moved, freed)
    }

    fn move_first(&mut self, source: u32, destination: u32) -> bool {
        if self.zspages[&destination].is_full() {
            return false;
        }
        let Some(place) = self.zspages[&source].places.iter().position(Option::is_some) else { return false };
        let Some(object) = self.zspages[&source].places[place] else { return false };
        if let Some(zspage) = self.zspages.get_mut(&source) {
            zspage.give(place);
        }
        if let Some(zspage) = self.zspages.get_mut(&destination) {
            let place = zspage.take(object);
            self.objects.insert(object, (destination, place));
        }
        true
    }

    /// Up to 6.3: source first.
    fn compact_old(&mut self, class: SlowClass) -> usize {
        let asks = !self.era.starts_with("4.2");
        let sources: &[usize] = if asks { &[1, 2] } else { &[1] };
        let mut moved = 0;
        while let Some(source) = self.first(class.index, sources) {
            self.unlist(source);
            if asks && self.gain(class) == 0 {
                self.enlist(source);
                break;
            }
            loop {
                let Some(destination) = self.first(class.index, &[2, 1]) else {
                    self.enlist(source);
                    return moved;
                };
                self.unlist(destination);
                while self.move_first(source, destination) {
                    moved += 1;
                }
                self.enlist(destination);
                if self.zspages[&source].used() == 0 {
                    break;
                }
            }
            self.zspages.remove(&source);
        }
        moved
    }

    /// From 6.4: destination first, held until it is full.
    fn compact_new(&mut self, class: SlowClass) -> usize {
        let mut held = None;
        let mut moved = 0;
        while self.gain(class) > 0 {
            let Some(destination) = held.or_else(|| self.first(class.index, &self.fullest_first())) else {
                break;
            };
            self.unlist(destination);
            held = Some(destination);
            let emptiest: Vec<usize> = (1..=10).collect();
            let Some(source) = self.first(class.index, &emptiest) else { break };
            self.unlist(source);
            while self.move_first(source, destination) {
                moved += 1;
            }
            if self.zspages[&source].used() == 0 {
                self.zspages.remove(&source);
            } else {
                self.enlist(source);
            }
            if self.zspages[&destination].is_full() {
                self.enlist(destination);
                held = None;
            }
        }
        if let Some(destination) = held {
            self.enlist(destination);
        }
        moved
    }
}

/// Pages of a zspage for an object size.
fn chain(era: &str, size: usize, page: usize, max_pages: usize) -> usize {
    if matches!(era, "6.6" | "6.12") {
        if size.is_power_of_two() {
            return 1;
        }
        return (1..=max_pages).min_by_key(|pages| pages * page % size).unwrap_or(1);
    }
    let percent = |pages: usize| (pages * page - pages * page % size) * 100 / (pages * page);
    let best = (1..=max_pages).map(percent).max().unwrap_or(0);
    (1..=max_pages).find(|&pages| percent(pages) == best).unwrap_or(1)
}
