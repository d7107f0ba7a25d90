//! Bytes as mebibytes.

/// Mebibytes of so many bytes.
pub(crate) fn mib(bytes: f64) -> f64 {
    bytes / f64::from(1 << 20)
}
