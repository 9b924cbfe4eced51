//! The name that somebody who mistyped one may have meant.

/// Largest share of a name that may be wrong for a candidate to be proposed.
const ACCEPTED_SIMILARITY: f64 = 0.6;

/// Longer names are not compared: the comparison takes quadratic time.
const LONGEST_NAME: usize = 128;

/// The candidate nearest to `name` by Damerau-Levenshtein distance, if one is near; of equally near ones the first.
pub fn nearest<'n>(name: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    if name.len() > LONGEST_NAME {
        return None;
    }
    let mut best: Option<(f64, &'n str)> = None;
    for candidate in candidates.into_iter().filter(|candidate| candidate.len() <= LONGEST_NAME) {
        let similarity = strsim::normalized_damerau_levenshtein(name, candidate);
        if similarity >= ACCEPTED_SIMILARITY && best.is_none_or(|(most, _)| similarity > most) {
            best = Some((similarity, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_the_name_with_the_fewest_mistakes() {
        let names = ["canonicalize", "cse", "symbol-dce", "dce"];
        assert_eq!(nearest("cannonicalize", names), Some("canonicalize"));
        assert_eq!(nearest("sce", names), Some("cse"));
        assert_eq!(nearest("symbol_dce", names), Some("symbol-dce"));
        assert_eq!(nearest("inline", names), None);
        assert_eq!(nearest("", names), None);
    }
}
