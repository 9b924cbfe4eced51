//! New inputs out of old ones.

use fastrand::Rng;

use crate::Corpus;
use crate::corpus::split_words;

/// Inputs grow no larger.
const LARGEST_INPUT: usize = 64 << 10;

/// Makes inputs. The same seed makes the same ones.
pub struct Mutator<'c> {
    corpus: &'c Corpus,
    random: Rng,
}

impl<'c> Mutator<'c> {
    /// A maker of inputs like those of a corpus.
    ///
    /// # Panics
    /// If the corpus is empty.
    pub fn new(corpus: &'c Corpus, seed: u64) -> Self {
        assert!(!corpus.is_empty(), "there is something to start from");
        Self { corpus, random: Rng::with_seed(seed) }
    }

    /// The next input: a text of the corpus with some changes, mostly of few words, seldom of many.
    pub fn next_input(&mut self) -> Vec<u8> {
        let mut input = self.any_text().to_vec();
        let most = 1 << self.random.usize(0..5);
        let changes = 1 + self.random.usize(0..most);
        for _ in 0..changes {
            self.change(&mut input);
            input.truncate(LARGEST_INPUT);
        }
        input
    }

    fn any_text(&mut self) -> &'c [u8] {
        &self.corpus.texts[self.random.usize(0..self.corpus.texts.len())]
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        match self.random.u8(0..12) {
            0 => self.change_byte(input),
            1 => self.remove_range(input),
            2 => self.repeat_range(input),
            3..=5 => self.replace_word(input),
            6 => self.insert_word(input),
            7 => self.swap_lines(input),
            8 => self.duplicate_line(input),
            9 => self.remove_line(input),
            10 => self.splice(input),
            _ => self.exchange_words(input),
        }
    }

    fn range(&mut self, input: &[u8]) -> std::ops::Range<usize> {
        let start = self.random.usize(0..=input.len());
        let longest = 1 << self.random.usize(0..8);
        let length = self.random.usize(0..longest);
        start..input.len().min(start + length)
    }

    fn change_byte(&mut self, input: &mut [u8]) {
        if !input.is_empty() {
            let at = self.random.usize(0..input.len());
            input[at] = if self.random.bool() { input[at] ^ 1 << self.random.u8(0..8) } else { self.random.u8(..) };
        }
    }

    fn remove_range(&mut self, input: &mut Vec<u8>) {
        let range = self.range(input);
        input.drain(range);
    }

    fn repeat_range(&mut self, input: &mut Vec<u8>) {
        let range = self.range(input);
        let times = 1 << self.random.usize(0..8);
        let piece = input[range.clone()].repeat(times);
        input.splice(range.end..range.end, piece.into_iter().take(LARGEST_INPUT));
    }

    fn any_word(&mut self) -> &'c [u8] {
        match self.corpus.words.len() {
            0 => b"x",
            count => &self.corpus.words[self.random.usize(0..count)],
        }
    }

    /// Where some word of the input is.
    fn word(&mut self, input: &[u8]) -> Option<std::ops::Range<usize>> {
        let words: Vec<&[u8]> = split_words(input).collect();
        let word = words.get(self.random.usize(0..words.len().max(1)))?;
        let start = word.as_ptr() as usize - input.as_ptr() as usize;
        Some(start..start + word.len())
    }

    fn replace_word(&mut self, input: &mut Vec<u8>) {
        if let Some(range) = self.word(input) {
            // Of the same kind if by chance there is one: it keeps more inputs well formed.
            let sigil = input[range.start];
            let mut word = self.any_word();
            for _ in 0..16 {
                if word[0] == sigil {
                    break;
                }
                word = self.any_word();
            }
            input.splice(range, word.iter().copied());
        }
    }

    fn insert_word(&mut self, input: &mut Vec<u8>) {
        if let Some(range) = self.word(input) {
            let mut word = self.any_word().to_vec();
            word.push(b' ');
            input.splice(range.start..range.start, word);
        }
    }

    fn exchange_words(&mut self, input: &mut Vec<u8>) {
        if let (Some(left), Some(right)) = (self.word(input), self.word(input)) {
            let (left, right) = if left.start <= right.start { (left, right) } else { (right, left) };
            if left.end <= right.start {
                let (first, second) = (input[left.clone()].to_vec(), input[right.clone()].to_vec());
                input.splice(right, first);
                input.splice(left, second);
            }
        }
    }

    fn line(&mut self, input: &[u8]) -> std::ops::Range<usize> {
        let at = self.random.usize(0..=input.len());
        let start = input[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
        let end = input[at..].iter().position(|&byte| byte == b'\n').map_or(input.len(), |newline| at + newline + 1);
        start..end
    }

    fn swap_lines(&mut self, input: &mut Vec<u8>) {
        let from = self.line(input);
        let line: Vec<u8> = input.drain(from).collect();
        let to = self.line(input).start;
        input.splice(to..to, line);
    }

    fn duplicate_line(&mut self, input: &mut Vec<u8>) {
        let range = self.line(input);
        let line = input[range.clone()].to_vec();
        input.splice(range.start..range.start, line);
    }

    fn remove_line(&mut self, input: &mut Vec<u8>) {
        let range = self.line(input);
        input.drain(range);
    }

    /// Puts lines of another text in.
    fn splice(&mut self, input: &mut Vec<u8>) {
        let other = self.any_text();
        let (start, end) = (self.line(other).start, self.line(other).end);
        if start < end {
            let at = self.line(input).start;
            input.splice(at..at, other[start..end].iter().copied());
        }
    }
}
