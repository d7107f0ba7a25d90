//! Links and JSON of scenarios: whatever is read, something sensible is shown and written.

#![cfg(not(target_arch = "wasm32"))]

use proptest::prelude::*;
use slabscope_scenario::{
    Fit, Key, Kind, PARAMS, Param, Scenario, Side, Value, View, from_json, parse_fragment,
};

/// Every form of link that was ever made, and what it is now after the version. Lines are added, never changed.
const LINKS: &[(&str, &str)] = &[
    (
        "#v=1&view=pool&a=zsmalloc&era=6.12&mp=8&w=churn&seed=42&n=2000&at=132",
        "view=pool&w=churn&n=2000&at=132",
    ),
    ("#v=1&mp=16&ps=14&size=1568&also=4,8", "ps=14&mp=16&size=1568&also=4,8"),
    ("#v=1&a=zblock&era=v2&ps=14", "a=zblock&era=v2&ps=14"),
    (
        "#v=1&a=slub&era=2.6.26%2Brfc-order&cpu=4&mo=16&mino=1&maxo=4&osz=560",
        "a=slub&era=2.6.26+rfc-order&cpu=4&mo=16&mino=1&maxo=4&osz=560",
    ),
    ("#v=1&view=locks&lk=pools&th=16&pools=64&skew=50", "view=locks&lk=pools&th=16&pools=64&skew=50"),
    ("#v=1&view=compare&mp=4&2.mp=8&3.a=zblock&4.era=4.2", "view=compare&mp=4&2.mp=8&3.a=zblock&4.era=4.2"),
    (
        "?b=32&pb=36&era=4.5&d=16&theme=dark&ui=min&h=00ffab12",
        "era=4.5&b=32&pb=36&d=16&theme=dark&ui=min&h=00ffab12",
    ),
    (
        "#v=1&view=pool&sel=o17&at=9&dist=uniform&live=20&c=100",
        "view=pool&dist=uniform&live=20&c=100&at=9&sel=o17",
    ),
    ("#v=1&view=data&t=z1.q83v-_", "view=data&t=z1.q83v-_"),
    ("#v=1&view=cases&case=2025-zblock", "view=cases&case=2025-zblock"),
    (
        "#v=1&view=cases&case=2024-locks&set=threads:64,seeds:5&at=2",
        "view=cases&at=2&case=2024-locks&set=seeds:5,threads:64",
    ),
    ("#plot=cost", "plot=cost"),
    ("#v=1&view=pool&a=slub&osz=auto&c=500", "view=pool&a=slub&c=500"),
    ("#v=1&view=pool&ui=full&lock=seed%2Ca", "view=pool&ui=full&lock=a,seed"),
    ("#v=1&view=pool&sel=c17&at=9", "view=pool&at=9"),
    ("#v=1&a=slub&plot=orders", "a=slub"),
    ("https://example.org/s/embed.html?view=locks#v=1&th=4", "view=locks&th=4"),
];

#[test]
fn every_link_ever_made_still_opens() {
    for (link, canonical) in LINKS {
        let (scenario, notices) = parse_fragment(link);
        assert_eq!(notices, [], "{link}");
        let fragment = scenario.to_fragment();
        assert_eq!(fragment.split_once('&').map(|(_, rest)| rest), Some(*canonical), "{link}");
    }
}

#[test]
fn every_key_is_in_some_permanent_link() {
    for param in &PARAMS {
        let written =
            |link: &str| link.split(['#', '?', '&']).any(|part| part.split('=').next() == Some(param.name));
        assert!(LINKS.iter().any(|(link, _)| written(link)), "{}", param.name);
    }
}

/// An allowed value of a parameter, picked by two random numbers.
fn value(param: &Param, side: &Side, pick: u64, open: bool) -> Value {
    match param.kind {
        Kind::Integer { auto: Some(_), .. } if open => Value::Auto,
        Kind::Integer { min, max, step, .. } => Value::Number(min + pick % ((max - min) / step + 1) * step),
        Kind::Choice { .. } => {
            let choices = param.choices(side);
            Value::Choice(choices[pick as usize % choices.len()].value)
        }
        Kind::Text { .. } if open => Value::Auto,
        Kind::Text { .. } => {
            let text = match param.key {
                Key::Selected => format!("{}{}", ['o', 'z'][pick as usize % 2], pick as u32),
                Key::Data => format!("z1.{pick:x}-_"),
                Key::Digest => format!("{:08x}", pick as u32),
                Key::Assumed => format!("a:{pick},b:{}_x", pick % 7),
                Key::Lock => "a,seed".to_owned(),
                _ => format!("{},16", 1 + pick % 15),
            };
            Value::Text(text.into())
        }
    }
}

fn random_scenario() -> impl Strategy<Value = Scenario> {
    let edits = prop::collection::vec((0..4_usize, 0..Key::COUNT, any::<u64>(), any::<bool>()), 0..40);
    (0..4_usize, edits).prop_map(|(others, edits)| {
        let mut scenario = Scenario::default();
        for _ in 0..others {
            scenario.add_side();
        }
        for (index, row, pick, open) in edits {
            let param = &PARAMS[row];
            let side = index % (others + 1);
            if side > 0 && !param.is_compared() {
                continue;
            }
            if let Some(side) = scenario.side_mut(side) {
                let value = value(param, side, pick, open);
                let applies = param.allocators.contains(&side.allocator());
                assert_eq!(side.set(param.key, value, Fit::Exact).is_ok(), applies, "{}", param.name);
            }
        }
        scenario
    })
}

/// Text near a link: keys, separators, escapes, numbers and anything else.
fn near_link() -> impl Strategy<Value = String> {
    let names: Vec<String> = PARAMS.iter().map(|param| param.name.to_owned()).collect();
    let piece = prop_oneof![
        prop::sample::select(names),
        prop::sample::select(vec![
            "&", "=", "#", "?", "2.", "3.", "4.", "5.", "%", "%2", "%41", "auto", "zblock", "slub", "://",
            "+"
        ])
        .prop_map(str::to_owned),
        any::<u64>().prop_map(|number| number.to_string()),
        (0..20_u8).prop_map(|number| number.to_string()),
        ".{0,6}",
    ];
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn a_scenario_comes_back_from_its_link_and_its_json(scenario in random_scenario()) {
        let link = scenario.to_fragment();
        let (read, notices) = parse_fragment(&link);
        prop_assert_eq!(&read, &scenario, "{}", link);
        prop_assert!(notices.is_empty(), "{:?}", notices);
        let (read, notices) = from_json(&scenario.to_json()).map_err(TestCaseError::fail)?;
        prop_assert_eq!(&read, &scenario, "{}", scenario.to_json());
        prop_assert!(notices.is_empty(), "{:?}", notices);
    }

    #[test]
    fn the_order_of_the_parts_means_nothing(scenario in random_scenario(), seed in any::<u64>()) {
        let link = scenario.to_fragment();
        let mut parts: Vec<&str> = link.split('&').collect();
        parts.sort_by_key(|part| part.bytes().fold(seed, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)));
        prop_assert_eq!(parse_fragment(&parts.join("&")).0, scenario);
    }

    #[test]
    fn whatever_is_read_becomes_a_link_that_stays(text in prop_oneof![near_link(), any::<String>()]) {
        let (scenario, notices) = parse_fragment(&text);
        let link = scenario.to_fragment();
        let (again, _) = parse_fragment(&link);
        prop_assert_eq!(again.to_fragment(), link.clone());
        prop_assert_eq!(&again, &scenario);
        prop_assert!(link.starts_with("v=1") && link.is_ascii());
        prop_assert!(!link.contains(['#', ' ', '"', '<', '>']), "{}", link);
        for notice in &notices {
            prop_assert!(!notice.reason.is_empty() && notice.to_string().starts_with(&notice.key));
        }
        for side in scenario.sides() {
            let generated = side.workload().ops().take(3).count();
            prop_assert!(generated <= 3 && !side.describe().is_empty());
        }
    }

    #[test]
    fn a_bad_value_names_its_key_and_leaves_the_others(row in 0..Key::COUNT, text in "[!-~]{0,12}") {
        let param = &PARAMS[row];
        let mut side = Side::default();
        let before = side.clone();
        match side.set_text(param.key, &text) {
            Ok(_) => {}
            Err(notice) => {
                prop_assert_eq!(notice.key.as_str(), param.name);
                prop_assert_eq!(side, before);
            }
        }
    }

    #[test]
    fn any_json_is_survived(text in ".{0,40}", number in any::<i64>()) {
        let json = serde_json::json!({ "mp": number, "era": text, "compare": [{ "ps": number }, text], "unknown": [text] });
        let (scenario, _) = from_json(&json.to_string()).map_err(TestCaseError::fail)?;
        let link = scenario.to_fragment();
        prop_assert_eq!(parse_fragment(&link).0.to_fragment(), link);
        let _ = from_json(&text);
    }
}

#[test]
fn sides_are_swapped_copied_and_told_apart() {
    let (mut scenario, notices) = parse_fragment("v=1&view=compare&mp=4&n=500&2.a=zblock&3.mp=16");
    assert!(notices.is_empty(), "{notices:?}");
    assert_eq!(
        scenario.differences(),
        ["a=zsmalloc era=6.12 mp=4", "a=zblock era=mm0508", "a=zsmalloc era=6.12 mp=16"]
    );
    let seen = scenario.seen_from(2);
    assert_eq!(
        (seen.number(Key::MaxPages), seen.view(), seen.number(Key::Operations)),
        (16, View::Compare, 500)
    );
    scenario.swap_side(2);
    assert_eq!(scenario.differences()[0], "a=zsmalloc era=6.12 mp=16");
    assert_eq!(scenario.view(), View::Compare);
    scenario.swap_side(2);
    assert_eq!(scenario.to_fragment(), "v=1&view=compare&mp=4&n=500&2.a=zblock&3.mp=16");
    scenario.copy_to_side(1);
    assert_eq!(scenario.side(1).get(Key::MaxPages), scenario.get(Key::MaxPages));
}
