//! A scenario as JSON: the keys of links with every value that is in force, for scripts.
//!
//! `{"v":1,"view":"pool","a":"zsmalloc",...,"compare":[{"a":"zblock",...}],"unknown":["x=1"]}`; numbers are
//! numbers, open values are null, texts that aren't set are left out. Reading it takes the same way as
//! reading a link, so a key may be left out and a bad value is told.

use serde_json::{Map, Value as Json};

use crate::link::{Pair, from_pairs};
use crate::notice::{Notice, NoticeKind};
use crate::param::{AUTO, Key, Kind, Param, Value};
use crate::scenario::Scenario;
use crate::side::Side;
use crate::table::PARAMS;

const COMPARE: &str = "compare";
const UNKNOWN: &str = "unknown";

impl Scenario {
    /// One line of JSON.
    pub fn to_json(&self) -> String {
        let mut members = members_of(&self.first, |_| true);
        if !self.others.is_empty() {
            let sides = self.others.iter().map(|other| object(&members_of(other, Param::is_compared)));
            members.push(format!("\"{COMPARE}\":[{}]", sides.collect::<Vec<_>>().join(",")));
        }
        if !self.unknown.is_empty() {
            let unknown = Json::from(self.unknown.clone());
            members.push(format!("\"{UNKNOWN}\":{unknown}"));
        }
        object(&members)
    }
}

fn object(members: &[String]) -> String {
    format!("{{{}}}", members.join(","))
}

/// The members in the order of the table, which a map of the JSON library would not keep.
fn members_of(side: &Side, wanted: impl Fn(&Param) -> bool) -> Vec<String> {
    let allocator = side.allocator();
    let params = PARAMS.iter().filter(|param| wanted(param) && param.allocators.contains(&allocator));
    params
        .filter_map(|param| {
            let value = match side.get(param.key) {
                Value::Auto if matches!(param.kind, Kind::Text { .. }) => return None,
                Value::Auto => Json::Null,
                Value::Number(number) => Json::from(number),
                Value::Choice(name) => Json::from(name),
                Value::Text(text) => Json::from(text.as_ref()),
            };
            Some(format!("\"{}\":{value}", param.name))
        })
        .collect()
}

/// Reads what [`Scenario::to_json`] writes, or a part of it.
///
/// # Errors
/// The text is no JSON object; single bad values are notices instead.
pub fn from_json(text: &str) -> Result<(Scenario, Vec<Notice>), String> {
    let json: Json = serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?;
    let Json::Object(members) = json else {
        return Err("a JSON object of link keys and values is expected".to_owned());
    };
    let mut pairs = Vec::new();
    let mut notices = Vec::new();
    let mut add = |prefix: &str, members: &Map<String, Json>, notices: &mut Vec<Notice>| {
        for (name, value) in members {
            let key = format!("{prefix}{name}");
            match text_of(value) {
                Some(value) => pairs.push(Pair::plain(key, value)),
                None => {
                    let reason = "a number, a text or null is expected; it is left out";
                    notices.push(Notice::new(NoticeKind::BadValue, &key, &value.to_string(), reason));
                }
            }
        }
    };
    let mut first = members.clone();
    let compare = first.remove(COMPARE);
    let unknown = first.remove(UNKNOWN);
    add("", &first, &mut notices);
    for (index, side) in list(COMPARE, compare, &mut notices).into_iter().enumerate() {
        let prefix = format!("{}.", index + 2);
        match side {
            Json::Object(side) if side.is_empty() => {
                let allocator = Key::Allocator.name();
                let same = members
                    .get(allocator)
                    .cloned()
                    .unwrap_or_else(|| Json::from(Scenario::default().text(Key::Allocator)));
                add(&prefix, &Map::from_iter([(allocator.to_owned(), same)]), &mut notices);
            }
            Json::Object(side) => add(&prefix, &side, &mut notices),
            other => {
                let reason = "an object of link keys and values is expected; it is left out";
                notices.push(Notice::new(NoticeKind::BadValue, &prefix, &other.to_string(), reason));
            }
        }
    }
    for part in list(UNKNOWN, unknown, &mut notices) {
        match part {
            Json::String(raw) => pairs.extend(raw.split('&').filter(|raw| !raw.is_empty()).map(Pair::new)),
            other => {
                let reason = "a text is expected; it is left out";
                notices.push(Notice::new(NoticeKind::BadValue, UNKNOWN, &other.to_string(), reason));
            }
        }
    }
    let scenario = from_pairs(pairs, &mut notices);
    Ok((scenario, notices))
}

fn text_of(value: &Json) -> Option<String> {
    match value {
        Json::Null => Some(AUTO.to_owned()),
        Json::Number(number) => Some(number.to_string()),
        Json::String(text) => Some(text.clone()),
        Json::Bool(_) | Json::Array(_) | Json::Object(_) => None,
    }
}

fn list(name: &str, value: Option<Json>, notices: &mut Vec<Notice>) -> Vec<Json> {
    match value {
        None => Vec::new(),
        Some(Json::Array(items)) => items,
        Some(other) => {
            let reason = "a list is expected; it is left out";
            notices.push(Notice::new(NoticeKind::BadValue, name, &other.to_string(), reason));
            Vec::new()
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::from_json;
    use crate::link::parse_fragment;

    #[test]
    fn json_has_every_value_in_force_in_the_order_of_the_table() {
        let json = parse_fragment("view=pool&mp=6&d=auto&2.a=zblock&zz=%C3%A9").0.to_json();
        assert!(json.starts_with(r#"{"v":1,"view":"pool","a":"zsmalloc","era":"6.12","ps":12,"mp":6,"b":64,"pb":52,"d":null,"w":"#), "{json}");
        assert!(json.contains(r#""compare":[{"a":"zblock","era":"mm0508","ps":12,"w":"phases""#), "{json}");
        assert!(json.ends_with(r#""unknown":["zz=%C3%A9"]}"#), "{json}");
    }

    /// JSON, the link it means and the keys of its notices.
    fn check(json: &str, link: &str, keys: &[&str]) {
        let (scenario, notices) = from_json(json).unwrap();
        assert_eq!(scenario.to_fragment(), link, "{json}");
        let told: Vec<&str> = notices.iter().map(|notice| notice.key.as_str()).collect();
        assert_eq!(told, keys, "{json}: {notices:?}");
    }

    #[test]
    fn a_part_of_it_is_enough_and_bad_values_are_told() {
        check("{}", "v=1", &[]);
        check(r#"{"a":"zblock","compare":[{},{"a":"slub"}]}"#, "v=1&a=zblock&2.a=zblock&3.a=slub", &[]);
        check(r#"{"mp":17,"ps":[],"b":-1,"x y":1}"#, "v=1&x%20y=1", &["ps", "mp", "b", "x y"]);
        check(r#"{"compare":[1,{"mp":2}],"unknown":3}"#, "v=1&2.mp=2", &["2.", "unknown", "3."]);
        check(r#"{"v":7,"mp":2}"#, "v=1&mp=2", &["v"]);
        assert!(from_json("[1]").is_err());
        assert!(from_json("{\"a\":").unwrap_err().contains("line 1"));
    }
}
