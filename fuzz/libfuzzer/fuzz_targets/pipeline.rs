//! The target `pipeline` under libFuzzer.
#![no_main]

use fermata_fuzz::target;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let target = target("pipeline").expect("the target is there");
    if let Err(message) = (target.run)(data) {
        panic!("{message}");
    }
});
