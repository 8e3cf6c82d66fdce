//! convoy-lsp: a language server and CI checker for declarative mutations of Kubernetes objects.
//!
//! The house is described in `ARCHITECTURE.md`. Arrows run one way: `dialect`, `workspace` ← `preview` ← `rule` ←
//! `ide` ← `server`, `cli`.

pub mod cli;
pub mod diagnostic;
pub mod dialect;
pub mod ide;
pub mod preview;
pub mod rule;
pub mod server;
pub mod workspace;
