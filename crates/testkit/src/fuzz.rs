//! What strangers might send: seeds from a folder, changed at random, and made small again when one is found out
//! (docs/decisions/14-fuzzing.md).

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestError, TestRng, TestRunner};

/// Set to a number of seconds for each target, it is fuzzed for so long with changes that no run before has made.
const SECONDS: &str = "FUZZ_SECONDS";
/// How many changes one input has at most.
const CHANGES: usize = 8;
/// How many inputs are tried between two looks at the clock.
const ROUND: u32 = 256;
/// Bytes and numbers that programs trip over, whatever they read.
const ODD: [&[u8]; 12] = [
    b"\0",
    b"\xff",
    b"\xc0\xaf",
    b"\xed\xa0\x80",
    b"\r\n",
    b"%00",
    b"\"",
    b"<",
    b"-1",
    b"18446744073709551616",
    b"\xe2\x80\xae",
    b"\xef\xbb\xbf",
];

/// Something that reads what strangers send.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name, and that of the folder with its seeds.
    pub name: &'static str,
    /// The words of its language, to be put where they do not belong.
    pub words: &'static [&'static str],
    /// How many inputs are tried in an ordinary run, which is the same each time.
    pub inputs: u32,
}

/// One change of an input. Places are taken modulo its length, so that every change fits every input.
#[derive(Clone, Debug)]
enum Change {
    Byte(usize, u8),
    Bit(usize, u8),
    Word(usize, Vec<u8>),
    Cut(usize, usize),
    Twice(usize, usize),
    Splice(usize, usize, usize),
}

impl Target {
    /// Holds every seed, and what random changes make of them, against `check`; an error says what is wrong.
    ///
    /// # Panics
    /// With the smallest input that was found, which is then in `target/fuzz`.
    pub fn run(&self, check: impl Fn(&[u8]) -> Result<(), String>) {
        let seeds = self.seeds();
        for seed in &seeds {
            check(seed).unwrap_or_else(|wrong| panic!("{}: {wrong}: a seed, {}", self.name, shown(seed)));
        }
        let seconds = std::env::var(SECONDS).ok().and_then(|text| text.parse().ok());
        let (began, mut tried) = (Instant::now(), 0);
        loop {
            let mut runner = match seconds {
                None => TestRunner::new_with_rng(
                    config(self.inputs),
                    TestRng::deterministic_rng(RngAlgorithm::ChaCha),
                ),
                Some(_) => TestRunner::new(config(ROUND)),
            };
            let result = runner.run(&self.inputs(&seeds), |input| check(&input).map_err(TestCaseError::fail));
            tried += runner.config().cases;
            if let Err(error) = result {
                self.found(error);
            }
            if seconds.is_none_or(|seconds| began.elapsed() >= Duration::from_secs(seconds)) {
                break;
            }
        }
        println!("fuzz: {}: {} seeds, {tried} inputs", self.name, seeds.len());
    }

    /// The folder of its seeds.
    pub fn corpus(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(self.name)
    }

    fn seeds(&self) -> Vec<Vec<u8>> {
        let corpus = self.corpus();
        let files =
            std::fs::read_dir(&corpus).unwrap_or_else(|error| panic!("{}: {error}", corpus.display()));
        let mut paths: Vec<_> = files.flatten().map(|file| file.path()).collect();
        paths.sort();
        assert!(!paths.is_empty(), "{} holds no seed", corpus.display());
        paths.iter().map(|path| std::fs::read(path).expect("a seed can be read")).collect()
    }

    fn inputs(&self, seeds: &[Vec<u8>]) -> impl Strategy<Value = Vec<u8>> + use<> {
        let words: Vec<Vec<u8>> = ODD
            .iter()
            .map(|word| word.to_vec())
            .chain(self.words.iter().map(|word| word.as_bytes().to_vec()))
            .collect();
        let place = any::<u16>().prop_map(usize::from);
        let change = prop_oneof![
            2 => (place.clone(), any::<u8>()).prop_map(|(at, byte)| Change::Byte(at, byte)),
            2 => (place.clone(), 0..8_u8).prop_map(|(at, bit)| Change::Bit(at, bit)),
            6 => (place.clone(), prop::sample::select(words)).prop_map(|(at, word)| Change::Word(at, word)),
            2 => (place.clone(), 1..64_usize).prop_map(|(at, length)| Change::Cut(at, length)),
            2 => (place.clone(), 1..64_usize).prop_map(|(at, length)| Change::Twice(at, length)),
            2 => (place.clone(), any::<usize>(), place).prop_map(|(at, seed, from)| Change::Splice(at, seed, from)),
        ];
        let seeds = seeds.to_vec();
        (0..seeds.len(), prop::collection::vec(change, 0..CHANGES)).prop_map(move |(seed, changes)| {
            let mut input = seeds[seed].clone();
            for change in changes {
                apply(&mut input, change, &seeds);
            }
            input
        })
    }

    fn found(&self, error: TestError<Vec<u8>>) -> ! {
        let TestError::Fail(why, input) = error else { panic!("{}: {error}", self.name) };
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/fuzz").join(self.name);
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        let path = folder.join(format!("found-{}", input.len()));
        std::fs::write(&path, &input).expect("an input can be written");
        panic!(
            "{}: {why}: {}\nMend it, and keep {} as a seed in {}.",
            self.name,
            shown(&input),
            path.display(),
            self.corpus().display()
        );
    }
}

fn config(cases: u32) -> Config {
    Config { cases, failure_persistence: None, max_shrink_iters: 2_000, ..Config::default() }
}

fn apply(input: &mut Vec<u8>, change: Change, seeds: &[Vec<u8>]) {
    let within = |at: usize, length: usize| if length == 0 { 0 } else { at % length };
    let length = input.len();
    match change {
        Change::Byte(at, byte) => {
            if let Some(old) = input.get_mut(within(at, length)) {
                *old = byte;
            }
        }
        Change::Bit(at, bit) => {
            if let Some(old) = input.get_mut(within(at, length)) {
                *old ^= 1 << bit;
            }
        }
        Change::Word(at, word) => {
            let at = within(at, length + 1);
            input.splice(at..at, word);
        }
        Change::Cut(at, count) => {
            let at = within(at, length);
            input.drain(at..length.min(at + count));
        }
        Change::Twice(at, count) => {
            let at = within(at, length);
            let part = input[at..length.min(at + count)].to_vec();
            input.splice(at..at, part);
        }
        Change::Splice(at, seed, from) => {
            let other = &seeds[seed % seeds.len()];
            input.truncate(within(at, length + 1));
            input.extend_from_slice(&other[within(from, other.len())..]);
        }
    }
}

fn shown(input: &[u8]) -> String {
    format!("{:?}", String::from_utf8_lossy(input))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_change_fits_every_input() {
        let target = Target { name: "path", words: &["x"], inputs: 1 };
        let seeds = [Vec::new(), b"a".to_vec(), b"abc".to_vec()];
        let mut runner = TestRunner::deterministic();
        runner.run(&target.inputs(&seeds), |_| Ok(())).unwrap();
    }

    #[test]
    fn what_is_wrong_is_found_and_made_small() {
        let target = Target { name: "path", words: &["BAD"], inputs: 2_000 };
        let found = std::panic::catch_unwind(|| {
            target.run(|input| {
                let is_bad = input.windows(3).any(|at| at == b"BAD");
                if is_bad { Err("it is bad".to_owned()) } else { Ok(()) }
            });
        });
        let said = *found.expect_err("it is found").downcast::<String>().unwrap();
        assert!(said.contains("it is bad") && said.contains("BAD"), "{said}");
    }
}
