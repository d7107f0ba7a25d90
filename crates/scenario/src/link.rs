//! The link codec: a scenario as the fragment of an address, and back.
//!
//! `v=1&view=pool&mp=6`: the keys of the table in its order, only values that differ from their default;
//! then `2.` `3.` `4.` and the keys in which a compared scenario differs from the first; then whatever this
//! version doesn't know, as it was written. Equal scenarios have equal links.

use crate::notice::{Notice, NoticeKind, shortened};
use crate::param::{Fit, Key};
use crate::percent;
use crate::scenario::Scenario;
use crate::side::Side;
use crate::table::PARAMS;

/// Converts the parts of a link of one version to the next. Keys are not renamed, so this is for a change
/// of what a value means.
type Upgrade = fn(&mut Vec<Pair>);

/// How to get from each version to the next: the first turns version 1 into 2.
const UPGRADES: [Upgrade; 0] = [];

/// Values that were taken in version 1 and changed nothing in any view: the map of orders, which SLUB always shows,
/// and a class followed. A link that has one shows what it showed.
fn is_retired(pair: &Pair) -> bool {
    match pair.target() {
        Some((0, Key::Plot)) => pair.value == "orders",
        Some((0, Key::Selected)) => {
            let number = pair.value.strip_prefix('c').map(str::parse::<u32>);
            matches!(number, Some(Ok(_)))
        }
        _ => false,
    }
}

/// Version of the links that are written.
pub const VERSION: u64 = 1 + UPGRADES.len() as u64;

/// A part of a link: `2.mp=8`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    /// As it was written.
    raw: String,
    /// Key with its prefix, decoded.
    key: String,
    /// Value, decoded.
    value: String,
}

impl Pair {
    /// A key with its prefix and a value, as text that isn't encoded.
    pub(crate) fn plain(key: String, value: String) -> Self {
        Self { raw: format!("{}={}", percent::encode(&key), percent::encode(&value)), key, value }
    }

    /// A part as links write it.
    pub(crate) fn new(raw: &str) -> Self {
        let (key, value) = raw.split_once('=').unwrap_or((raw, ""));
        Self { raw: raw.to_owned(), key: percent::decode(key), value: percent::decode(value) }
    }

    /// Which side it is about, counted from 0, and the parameter; `None` if this version has no such key.
    fn target(&self) -> Option<(usize, Key)> {
        let (side, name) = match self.key.split_once('.') {
            Some(("2", name)) => (1, name),
            Some(("3", name)) => (2, name),
            Some(("4", name)) => (3, name),
            _ => (0, self.key.as_str()),
        };
        let key = Key::from_name(name)?;
        (side == 0 || key.param().is_compared()).then_some((side, key))
    }
}

impl Scenario {
    /// The canonical link, without the `#`.
    pub fn to_fragment(&self) -> String {
        let mut parts = vec![format!("v={VERSION}")];
        parts.extend(PARAMS.iter().filter(|param| !self.first.is_default(param.key)).map(|param| {
            format!("{}={}", param.name, percent::encode(&self.first.get(param.key).to_string()))
        }));
        for (index, other) in self.others.iter().enumerate() {
            let pairs = differences(&self.first, other);
            parts.extend(
                pairs.iter().map(|(name, value)| format!("{}.{name}={}", index + 2, percent::encode(value))),
            );
        }
        parts.extend(self.unknown.iter().map(|raw| percent::sanitised(raw)));
        parts.join("&")
    }
}

/// The values that turn `first` into `other`, in the order in which they are applied. Two equal sides
/// still name the allocator, or nobody would know that there are two.
pub(crate) fn differences(first: &Side, other: &Side) -> Vec<(&'static str, String)> {
    let mut made = first.compared();
    let mut pairs = Vec::new();
    for param in PARAMS.iter().filter(|param| param.is_compared()) {
        let value = other.get(param.key);
        if value != made.get(param.key) && made.set(param.key, value.clone(), Fit::Exact).is_ok() {
            pairs.push((param.name, value.to_string()));
        }
    }
    if pairs.is_empty() {
        pairs.push((Key::Allocator.name(), other.get(Key::Allocator).to_string()));
    }
    pairs
}

/// Reads a fragment, a `?query` or a whole address; where both are given, the fragment wins key by key.
/// Whatever is wrong falls back to its default and is told; nothing is ever refused as a whole.
pub fn parse_fragment(text: &str) -> (Scenario, Vec<Notice>) {
    let (query, fragment) = split(text);
    let mut notices = Vec::new();
    let mut pairs = pairs_of(fragment, &mut notices);
    let in_fragment = pairs.len();
    for pair in pairs_of(query, &mut notices) {
        if !pairs[..in_fragment].iter().any(|known| known.key == pair.key) {
            pairs.push(pair);
        }
    }
    (from_pairs(pairs, &mut notices), notices)
}

/// The scenario that parts describe, whatever version wrote them.
pub(crate) fn from_pairs(mut pairs: Vec<Pair>, notices: &mut Vec<Notice>) -> Scenario {
    upgrade(&mut pairs, &UPGRADES, notices);
    pairs.retain(|pair| !is_retired(pair));
    build(pairs, notices)
}

/// Query and fragment of whatever was given.
fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    if let Some((before, fragment)) = text.split_once('#') {
        return match before.split_once('?') {
            Some((_, query)) => (query, fragment),
            // `mp=8#at=3` is no address: somebody joined two links.
            None if before.contains('=') => (before, fragment),
            None => ("", fragment),
        };
    }
    let head = &text[..text.find(['=', '&']).unwrap_or(text.len())];
    match head.find('?') {
        Some(mark) => (&text[mark + 1..], ""),
        None if head.contains("://") => ("", ""),
        None => ("", text),
    }
}

/// The parts, the first of each key; the others are told.
fn pairs_of(text: &str, notices: &mut Vec<Notice>) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Vec::new();
    for raw in text.split('&').filter(|raw| !raw.is_empty()) {
        let pair = Pair::new(raw);
        let earlier = pairs.iter().find(|known| known.key == pair.key);
        match earlier {
            Some(earlier) if pair.target().is_some() => {
                let reason = format!("given twice; the first, {}, is used", shortened(&earlier.value));
                notices.push(Notice::new(NoticeKind::Duplicate, &pair.key, &pair.value, reason));
            }
            _ => pairs.push(pair),
        }
    }
    pairs
}

/// Converts the parts of an older link and says so; says it too when the link is newer than this version.
fn upgrade(pairs: &mut Vec<Pair>, upgrades: &[Upgrade], notices: &mut Vec<Notice>) {
    let current = 1 + upgrades.len();
    let Some(position) = pairs.iter().position(|pair| pair.key == Key::Version.name()) else { return };
    let value = pairs.remove(position).value;
    let told = |kind, reason| Notice::new(kind, Key::Version.name(), &value, reason);
    match value.parse::<usize>() {
        Ok(version) if (1..current).contains(&version) => {
            for step in &upgrades[version - 1..] {
                step(pairs);
            }
            notices
                .push(told(NoticeKind::Upgraded, format!("an older link, converted to version {current}")));
        }
        Ok(version) if version == current => {}
        Ok(version) if version > current => {
            let reason =
                format!("made by a newer Slabscope; read as version {current}, so it may look different");
            notices.push(told(NoticeKind::NewerVersion, reason));
        }
        _ => {
            let reason = format!("not a version of links; read as version {current}");
            notices.push(told(NoticeKind::BadValue, reason));
        }
    }
}

fn build(pairs: Vec<Pair>, notices: &mut Vec<Notice>) -> Scenario {
    let mut scenario = Scenario::default();
    apply(&mut scenario.first, &pairs, 0, notices);
    let mut missing = 0;
    for index in 1..Scenario::MOST_SIDES {
        if !pairs.iter().any(|pair| pair.target().is_some_and(|(side, _)| side == index)) {
            missing += 1;
            continue;
        }
        if missing > 0 {
            let (given, shown) = (index + 1, index + 1 - missing);
            let reason = format!("there is no scenario {}; this one is shown as number {shown}", given - 1);
            notices.push(Notice::new(NoticeKind::Understood, &format!("{given}."), "", reason));
        }
        let mut other = scenario.first.compared();
        apply(&mut other, &pairs, index, notices);
        scenario.others.push(other);
    }
    for pair in pairs {
        if pair.target().is_none() {
            let reason = "not known to this version; it is kept in the link";
            notices.push(Notice::new(NoticeKind::UnknownKey, &pair.key, &pair.value, reason));
            scenario.unknown.push(percent::sanitised(&pair.raw));
        }
    }
    scenario
}

/// Sets what the parts say about one side, in the order of the table, whatever order they come in.
fn apply(side: &mut Side, pairs: &[Pair], index: usize, notices: &mut Vec<Notice>) {
    for param in &PARAMS {
        let Some(pair) = pairs.iter().find(|pair| pair.target() == Some((index, param.key))) else {
            continue;
        };
        match side.set_text(param.key, &pair.value) {
            Ok(None) => {}
            Ok(Some(notice)) => notices.push(notice.about(&pair.key)),
            Err(notice) if notice.kind == NoticeKind::BadValue => {
                let used = side.get(param.key);
                notices.push(notice.about(&pair.key).and(&format!("{used} is used")));
            }
            Err(notice) => notices.push(notice.about(&pair.key)),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::{NoticeKind, Pair, Upgrade, VERSION, parse_fragment, split, upgrade};

    /// A link, its canonical form, and the keys of its notices.
    fn check(link: &str, canonical: &str, keys: &[&str]) {
        let (scenario, notices) = parse_fragment(link);
        assert_eq!(scenario.to_fragment(), canonical, "{link}");
        let told: Vec<&str> = notices.iter().map(|notice| notice.key.as_str()).collect();
        assert_eq!(told, keys, "{link}: {notices:?}");
        let (again, _) = parse_fragment(canonical);
        assert_eq!(again, scenario, "{link}");
    }

    #[test]
    fn only_what_differs_from_the_default_in_the_order_of_the_table() {
        check("", "v=1", &[]);
        check("#v=1&mp=8&era=6.12&ps=12&b=64&pb=52&view=geometry", "v=1", &[]);
        check("at=132&mp=6&view=pool", "v=1&view=pool&mp=6&at=132", &[]);
        check("era=4.5&pb=46&mp=4", "v=1&era=4.5", &[]);
        check("era=4.5&pb=52&mp=8", "v=1&era=4.5&mp=8&pb=52", &[]);
        check("a=slub&era=2.6.26%2Brfc-order", "v=1&a=slub&era=2.6.26+rfc-order", &[]);
        check("d=0&a=zsmalloc&size=0", "v=1", &[]);
    }

    #[test]
    fn any_form_of_address() {
        check("https://example.org/s/?mp=6&ps=14#mp=5", "v=1&ps=14&mp=5", &[]);
        check("?mp=6", "v=1&mp=6", &[]);
        check("embed.html?mp=6", "v=1&mp=6", &[]);
        check("https://example.org/s/", "v=1", &[]);
        check("https://example.org/s/#", "v=1", &[]);
        check(" #v=1&mp=6\n", "v=1&mp=6", &[]);
        assert_eq!(split("mp=6#at=3"), ("mp=6", "at=3"));
        assert_eq!(split("mp=6&x=http://a/?b"), ("", "mp=6&x=http://a/?b"));
    }

    #[test]
    fn what_is_wrong_is_told_and_falls_back() {
        check("mp=17&ps=abc&a=", "v=1", &["a", "ps", "mp"]);
        check("mp=6&mp=7", "v=1&mp=6", &["mp"]);
        check("a=zblock&mp=6", "v=1&a=zblock", &["mp"]);
        check("v=0&mp=6", "v=1&mp=6", &["v"]);
        check("h=xyz&sel=q1&also=0&t=z1.!", "v=1", &["sel", "t", "h", "also"]);
        let (_, notices) = parse_fragment("#mp=17");
        assert_eq!(notices[0].to_string(), "mp=17: a whole number from 1 to 16 pages is needed; 8 is used");
    }

    #[test]
    fn what_never_meant_anything_is_read_as_nothing() {
        check("sel=c17&plot=orders", "v=1", &[]);
        check("sel=c&plot=order", "v=1", &["sel", "plot"]);
        check("2.sel=c17", "v=1&2.sel=c17", &["2.sel"]);
    }

    #[test]
    fn unknown_keys_are_kept_in_their_order() {
        check(
            "zz=1&mp=6&5.mp=2&aa=%C3%A9 b&plain",
            "v=1&mp=6&zz=1&5.mp=2&aa=%C3%A9%20b&plain",
            &["zz", "5.mp", "aa", "plain"],
        );
        check("zz=1&zz=2", "v=1&zz=1&zz=2", &["zz", "zz"]);
        check("2.view=pool", "v=1&2.view=pool", &["2.view"]);
    }

    #[test]
    fn compared_scenarios_say_only_what_differs_from_the_first() {
        check("mp=6&2.mp=6&2.ps=14", "v=1&mp=6&2.ps=14", &[]);
        check("mp=6&2.mp=8", "v=1&mp=6&2.mp=8", &[]);
        check("2.a=zsmalloc", "v=1&2.a=zsmalloc", &[]);
        check("2.mp=8", "v=1&2.a=zsmalloc", &[]);
        check("era=4.2&2.a=zblock&3.era=6.12", "v=1&era=4.2&2.a=zblock&3.era=6.12", &[]);
        check("4.mp=2", "v=1&2.mp=2", &["4."]);
        check("2.mp=99", "v=1&2.a=zsmalloc", &["2.mp"]);
        check("2.seed=7&at=5", "v=1&at=5&2.seed=7", &[]);
    }

    #[test]
    fn a_kernel_version_is_an_era() {
        check("era=6.8", "v=1&era=6.6", &["era"]);
        check("era=3.10", "v=1", &["era"]);
        let (_, notices) = parse_fragment("era=6.8&2.era=3.10");
        assert_eq!((notices[0].kind, notices[1].kind), (NoticeKind::Understood, NoticeKind::BadValue));
        assert!(notices[1].to_string().ends_with("6.6 is used"), "{}", notices[1]);
    }

    #[test]
    fn a_newer_link_says_so_and_is_read() {
        check("v=99&mp=6&brandnew=1", "v=1&mp=6&brandnew=1", &["v", "brandnew"]);
        let (_, notices) = parse_fragment("v=99");
        assert_eq!(notices[0].kind, NoticeKind::NewerVersion);
    }

    #[test]
    fn upgrades_run_one_after_the_other_from_the_version_of_the_link() {
        const TABLE: [Upgrade; 2] = [
            |pairs| pairs.push(Pair::new("one=1")),
            |pairs| pairs.iter_mut().for_each(|pair| pair.value.push('!')),
        ];
        let run = |link: &str| {
            let mut pairs: Vec<Pair> = link.split('&').map(Pair::new).collect();
            let mut notices = Vec::new();
            upgrade(&mut pairs, &TABLE, &mut notices);
            let parts: Vec<String> =
                pairs.iter().map(|pair| format!("{}={}", pair.key, pair.value)).collect();
            (parts.join("&"), notices.first().map(|notice| notice.kind))
        };
        assert_eq!(run("v=1&a=x"), ("a=x!&one=1!".to_owned(), Some(NoticeKind::Upgraded)));
        assert_eq!(run("v=2&a=x"), ("a=x!".to_owned(), Some(NoticeKind::Upgraded)));
        assert_eq!(run("v=3&a=x"), ("a=x".to_owned(), None));
        assert_eq!(VERSION, 1);
    }
}
