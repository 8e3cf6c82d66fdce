//! Prints a minimal object of each built-in kind of a release, one a line, so that other programs can read them:
//! `cargo run -p convoy-kube --example samples -- 1.37`.

use std::env;
use std::error::Error;

use convoy_kube::{Registry, Release, sample};
use convoy_value::json::{KeyOrder, write};

fn main() -> Result<(), Box<dyn Error>> {
    let release: Release = match env::args().nth(1) {
        Some(text) => text.parse()?,
        None => Release::NEWEST,
    };
    let registry = Registry::new(release);
    for gvk in registry.kinds() {
        if let Some(object) = sample::minimal(&registry, gvk, "my-app", None) {
            println!("{}", write(&object, KeyOrder::Kept)?);
        }
    }
    Ok(())
}
