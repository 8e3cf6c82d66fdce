//! x
/// x
pub fn serve() -> anyhow::Result<bool> { Ok(true) }
