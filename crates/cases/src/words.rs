//! What happens in each case, in plain words and then in exact terms, with links to positions of its figure and to other
//! views.

/// A part of a paragraph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Words.
    Words(&'a str),
    /// Words that put the figure into a position, counted from 0.
    Scene(u16, &'a str),
    /// Words that lead to a scenario: the fragment of its link without the mark in front.
    Link(&'a str, &'a str),
}

/// A paragraph taken apart: `[words](3)` puts the figure into position 3, `[words](#v=1&...)` is a link.
pub fn pieces(paragraph: &str) -> Vec<Piece<'_>> {
    let (mut pieces, mut rest) = (Vec::new(), paragraph);
    while let Some((before, words, target, after)) = next_link(rest) {
        if !before.is_empty() {
            pieces.push(Piece::Words(before));
        }
        pieces.push(match (target.strip_prefix('#'), target.parse()) {
            (Some(fragment), _) => Piece::Link(fragment, words),
            (None, Ok(scene)) => Piece::Scene(scene, words),
            (None, Err(_)) => Piece::Words(words),
        });
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(Piece::Words(rest));
    }
    pieces
}

/// What stands before the first link, its words, where it leads, and what stands behind it.
fn next_link(text: &str) -> Option<(&str, &str, &str, &str)> {
    let (before, rest) = text.split_once('[')?;
    let (words, rest) = rest.split_once("](")?;
    let (target, after) = rest.split_once(')')?;
    Some((before, words, target, after))
}

pub(crate) const SLUB_ORDER: &[&str] = &[
    "In plain words: the kernel takes memory in whole pages, cuts it into objects of one size, and what is left over \
                 at the end is lost. With [14 objects in 2 pages](0) more than half an object is left. Twice the pages do not \
                 leave twice as much: [29 objects fit 4 pages](1), one more than twice 14. The same holds for [19](2) and \
                 [39](3). But a run of 4 pages is harder to find than one of 2, and it comes back only when all its objects \
                 are gone.",
    "In exact terms: a slab of order k has 2^k pages in one piece. The search takes the first order whose waste is at \
                 most a sixteenth of the slab, then an eighth, then a quarter. The patch adds one order where the waste is at \
                 least half an object. Look at [every order of an object of 560 bytes](#v=1&a=slub&era=2.6.26&cpu=2&osz=560), \
                 at [the same with the patch](#v=1&a=slub&era=2.6.26+rfc-order&cpu=2&osz=560), and at \
                 [slabs of it that fill and drain](#v=1&view=pool&a=slub&era=2.6.26&cpu=2&osz=560).",
];

pub(crate) const PARTIAL_ORDERING: &[&str] = &[
    "In plain words: objects of a size share small groups of pages. Groups with room wait in a list, and the next \
                 object goes to the one in front. If fuller ones stood in front, the idea was, they would fill up and the emptier \
                 ones drain and be given back. Follow one list: [empty](0), then a group [enters](1), a [second](2) one, and \
                 [four](4): the last to come is in front. [An object comes](5): it fills the group in front, which leaves. Now the list as it \
                 was posted: [the second to come](9) sends the first to the end, and after [four](11) the first three stand in the order in \
                 which they came.",
    "In exact terms: in 4.2 a zspage always enters at the head of its fullness list. What was merged in 4.3 puts it at the tail if \
     it has fewer objects in use than the head (from 4.9 on behind the head; since 6.4 at the head again). From full it \
                 comes with as many objects as a zspage of that list can have, and a new one is made only when the list is empty, so without \
                 compaction the comparison never decides. The posted code moves the old head to the tail instead, a rotation. Watch \
                 [the base](#v=1&view=pool&era=4.2&w=churn&at=6000), [the posting](#v=1&view=pool&era=4.2-rfc3&w=churn&at=6000), or \
                 [both side by side](#v=1&view=compare&era=4.2&w=churn&2.era=4.2-rfc3).",
];

pub(crate) const MORE_PAGES: &[&str] = &[
    "In plain words: compressed pages have odd sizes, and a page rarely holds a whole number of them. zsmalloc ties pages \
                 together so that objects may cross from one to the next. With [at most 4 pages](0) an object of 2,200 bytes pays \
                 for more than with [5](1), [6](2) or [8](3): the more lengths a chain may have, the better one of them fits. Near the end it is \
                 a cliff: 3,300 bytes take [a page each](4) with 4 pages, but [six share five pages](5) when five are allowed.",
    "In exact terms: a zspage of a class has the number of pages, up to the most allowed, that leaves the smallest part of \
                 itself unused. A class whose zspage is one page with one object is huge. See \
                 [waste by size for 4, 5, 6 and 8 pages](#v=1&era=4.5&size=2200&also=5,6,8), \
                 [a pool with 4 pages](#v=1&view=pool&era=4.5&at=6000), [one with 8](#v=1&view=pool&era=4.5&mp=8&at=6000), or \
                 [both on the same stream](#v=1&view=compare&era=4.5&2.mp=8).",
];

pub(crate) const LOCKS: &[&str] = &[
    "In plain words: whoever changes a pool must be alone with the part that is changed, and others wait at its lock. \
                 With [a pool for each of 32 parts of the data](0) hardly anyone meets anyone. With [one pool and one lock](1) threads \
                 queue. With [a lock for each size](2) they meet only over objects of the same size, in one pool, which leaves less \
                 half-filled memory behind than 32.",
    "In exact terms: allocation takes the lock of its size class; a free first finds the class of the object under the \
                 pool's read-write lock, for reading, then takes the class's. Until 6.1 the handle itself was pinned, so there was \
                 [no pool-wide lock](3) at all. Turn the knobs in the Locks view: \
                 [one pool lock](#v=1&view=locks&lk=pool&th=32), [32 pools](#v=1&view=locks&lk=pools&th=32), \
                 [per class](#v=1&view=locks&th=32), [zblock's lock per block type](#v=1&view=locks&lk=type&th=32).",
];

pub(crate) const ZBLOCK: &[&str] = &[
    "In plain words: zsmalloc makes each chain of pages fit its objects closely and keeps an eight-byte handle with each. zblock \
                 takes blocks of a few pages from a fixed table and needs no handle. An object of 1,500 bytes in \
                 [a zspage](0), in [a block of the version that was posted](1), and of [the last version](2). Larger pages leave more \
                 ways to divide them: [zsmalloc](3), [posted](4) and [last](5) with 16K pages.",
    "In exact terms: a request goes to the smallest slot that takes it, found through a tree; a block has up to 8 pages in a row, a \
                 header, and slots of one size. The version posted looks only at the head of a type's list. See \
                 [zblock's block types](#v=1&a=zblock&size=1500), [zsmalloc's classes](#v=1&size=1500), \
                 [zblock v2 as it fills](#v=1&view=pool&a=zblock&era=v2&at=6000), or \
                 [both on one stream](#v=1&view=compare&2.a=zblock&2.era=v2&3.a=zblock).",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Case, Options};

    #[test]
    fn a_paragraph_comes_apart() {
        assert_eq!(
            pieces("a [b](2) c [d](#v=1&x=(1)"),
            [Piece::Words("a "), Piece::Scene(2, "b"), Piece::Words(" c "), Piece::Link("v=1&x=(1", "d")]
        );
        assert_eq!(pieces("a [b c"), [Piece::Words("a [b c")]);
        assert_eq!(pieces(""), []);
    }

    /// Every position that is linked exists, and every position is linked, save those that only continue a story.
    #[test]
    fn prose_and_figures_belong_together() {
        for case in Case::ALL {
            let linked = case.part().explained.iter().flat_map(|paragraph| pieces(paragraph));
            let linked: Vec<u16> = linked
                .filter_map(|piece| match piece {
                    Piece::Scene(scene, _) => Some(scene),
                    Piece::Words(_) | Piece::Link(..) => None,
                })
                .collect();
            assert!(linked.len() >= 4, "{}", case.name());
            if case != Case::Locks {
                let count = (case.part().scenes)(&Options::default()).len();
                assert!(linked.iter().all(|&scene| usize::from(scene) < count), "{}", case.name());
            }
        }
    }
}
