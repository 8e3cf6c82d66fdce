//! Compresses the table of types, so that the binary carries it small.

use std::env;
use std::error::Error;
use std::fs;
use std::path::Path;

const TABLE: &str = "../../schemas/kubernetes/types.txt";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={TABLE}");
    println!("cargo::rerun-if-changed=build.rs");
    let text = fs::read(TABLE)?;
    let packed = miniz_oxide::deflate::compress_to_vec(&text, 9);
    fs::write(Path::new(&env::var("OUT_DIR")?).join("types.deflate"), packed)?;
    Ok(())
}
