//! zblock written a second time, straight from its rules in the plainest way: maps, vectors and no thought of
//! speed. Of the model in core it takes the table of types, which digests hold, and nothing else.

use std::collections::{BTreeMap, HashMap};

use slabscope_core::zblock::{Config, block_types};

/// A block.
#[derive(Clone, Debug)]
pub struct SlowBlock {
    /// Its type.
    pub kind: usize,
    /// What lies in each slot.
    pub places: Vec<Option<u32>>,
}

impl SlowBlock {
    fn free(&self) -> usize {
        self.places.iter().filter(|place| place.is_none()).count()
    }
}

/// What a type remembers of its blocks.
#[derive(Clone, Debug, Default)]
struct Memory {
    /// All blocks or those with room, head first.
    list: Vec<u32>,
    /// v3, v4: full blocks, head first.
    full: Vec<u32>,
    /// 2022, v1.
    cache: [Option<u32>; 32],
}

/// Type, block and slot of an object.
type Spot = (usize, u32, usize);

/// The pool.
#[derive(Clone, Debug)]
pub struct SlowPool {
    version: &'static str,
    page: usize,
    /// Size and number of the slots of each type.
    types: Vec<(usize, usize)>,
    memory: Vec<Memory>,
    objects: HashMap<u32, Spot>,
    /// All blocks by number.
    pub blocks: BTreeMap<u32, SlowBlock>,
    next: u32,
}

impl SlowPool {
    /// An empty pool.
    pub fn new(config: &Config) -> Self {
        let types: Vec<(usize, usize)> = block_types(config)
            .unwrap_or_default()
            .iter()
            .map(|kind| (kind.slot_size as usize, usize::from(kind.slots)))
            .collect();
        Self {
            version: config.version.name(),
            page: config.page_bytes() as usize,
            memory: vec![Memory::default(); types.len()],
            types,
            objects: HashMap::new(),
            blocks: BTreeMap::new(),
            next: 0,
        }
    }

    /// The type for a size or the kernel's error.
    pub fn find(&self, size: usize) -> Result<usize, &'static str> {
        let slots = || self.types.iter().map(|kind| kind.0);
        let last = slots().max().unwrap_or(0);
        let above = slots().filter(|&slot| slot <= size).count();
        match self.version {
            _ if size == 0 => Err("EINVAL"),
            "2022" | "v1" if size > self.page => Err("ENOSPC"),
            "rust" if size > self.page => Err("EINVAL"),
            "2022" | "v1" | "rust" => slots().position(|slot| size <= slot).ok_or("ENOSPC"),
            "v2" | "v3" if size <= self.page => Ok(above),
            "v4" if size < last => Ok(above),
            "v4" if size == self.page => Err("EINVAL+WARN"),
            "mm0502" | "mm0507" | "mm0508" if size < last => Ok(above),
            "mm0502" | "mm0507" | "mm0508" if size == last => Err("OOB"),
            _ => Err("ENOSPC"),
        }
    }

    /// Allocates; an object that is live is no request the kernel could get.
    ///
    /// # Errors
    /// The kernel's error.
    pub fn malloc(&mut self, object: u32, size: usize) -> Result<Spot, &'static str> {
        let kind = self.find(size)?;
        if self.objects.contains_key(&object) {
            return Err("EEXIST");
        }
        let block = self.with_room(kind).unwrap_or_else(|| self.create(kind));
        let places = &mut self.blocks.get_mut(&block).ok_or("no block")?.places;
        let slot = places.iter().position(Option::is_none).ok_or("no slot")?;
        places[slot] = Some(object);
        let is_full = places.iter().all(Option::is_some);
        self.objects.insert(object, (kind, block, slot));
        if is_full {
            self.filled(kind, block);
        }
        Ok((kind, block, slot))
    }

    fn has_room(&self, block: u32) -> bool {
        self.blocks.get(&block).is_some_and(|block| block.free() > 0)
    }

    fn with_room(&self, kind: usize) -> Option<u32> {
        let memory = &self.memory[kind];
        match self.version {
            "2022" | "v1" => memory.cache.iter().flatten().copied().find(|&block| self.has_room(block)),
            _ => memory.list.first().copied().filter(|&block| self.has_room(block)),
        }
    }

    fn create(&mut self, kind: usize) -> u32 {
        let id = self.next;
        self.next += 1;
        self.blocks.insert(id, SlowBlock { kind, places: vec![None; self.types[kind].1] });
        if self.version != "v1" {
            self.memory[kind].list.insert(0, id);
        }
        if self.version == "2022" || self.version == "v1" {
            self.cache_insert(kind, id);
        }
        id
    }

    fn cache_insert(&mut self, kind: usize, id: u32) {
        let free = |id: &u32| self.blocks.get(id).map_or(0, SlowBlock::free);
        let cells: Vec<usize> =
            self.memory[kind].cache.iter().map(|cell| cell.as_ref().map_or(0, free)).collect();
        let fewest = cells.iter().copied().min().unwrap_or(0);
        if self.version == "2022" || fewest < free(&id) {
            let cell = cells.iter().position(|&free| free == fewest).unwrap_or(0);
            self.memory[kind].cache[cell] = Some(id);
        }
    }

    fn filled(&mut self, kind: usize, id: u32) {
        let memory = &mut self.memory[kind];
        if self.version == "2022" || self.version == "v1" {
            return;
        }
        memory.list.retain(|&other| other != id);
        match self.version {
            "v2" => memory.list.push(id),
            "v3" | "v4" => memory.full.insert(0, id),
            _ => {}
        }
    }

    /// Frees; the last value tells if the block went too.
    pub fn free(&mut self, object: u32) -> Option<(usize, u32, usize, bool)> {
        let (kind, id, slot) = self.objects.remove(&object)?;
        let block = self.blocks.get_mut(&id)?;
        block.places[slot] = None;
        let (free, slots) = (block.free(), block.places.len());
        let memory = &mut self.memory[kind];
        if free == slots {
            self.blocks.remove(&id);
            memory.list.retain(|&other| other != id);
            memory.full.retain(|&other| other != id);
            memory.cache = memory.cache.map(|cell| cell.filter(|&other| other != id));
            return Some((kind, id, slot, true));
        }
        let cached = memory.cache.contains(&Some(id));
        match self.version {
            "2022" if !cached => self.cache_insert(kind, id),
            "v1" if !cached && free < slots / 2 => self.cache_insert(kind, id),
            "v3" | "v4" | "mm0508" | "rust" if free == 1 => {
                memory.full.retain(|&other| other != id);
                memory.list.push(id);
            }
            "mm0502" | "mm0507" if free == 1 => memory.list.insert(0, id),
            _ => {}
        }
        Some((kind, id, slot, false))
    }

    /// The list of all blocks or of those with room, head first; empty in v1.
    pub fn list(&self, kind: usize) -> &[u32] {
        &self.memory[kind].list
    }

    /// The list of full blocks of v3 and v4.
    pub fn full(&self, kind: usize) -> &[u32] {
        &self.memory[kind].full
    }

    /// The used cells of the cache.
    pub fn cache(&self, kind: usize) -> Vec<(usize, u32)> {
        let cells = self.memory[kind].cache.iter().enumerate();
        cells.filter_map(|(cell, block)| Some((cell, (*block)?))).collect()
    }
}
