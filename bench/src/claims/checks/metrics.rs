//! Figures of the server's own, from its metrics.

use http::Method;

use crate::verify::{Peer, VerifyError};

/// The figure with this name at `path`; 0 where there is none.
pub(super) async fn read(peer: Peer, path: &str, name: &str) -> Result<f64, VerifyError> {
    let reply = peer.exchange(Method::GET, path, &[], "").await?;
    let text = String::from_utf8_lossy(&reply.body);
    Ok(value(&text, name).unwrap_or(0.0))
}

fn value(text: &str, name: &str) -> Option<f64> {
    let mut lines = text.lines();
    lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_found_by_its_whole_name() {
        let text = "# HELP work_running x\nwork_running_long 3\nwork_running 2.5\n";
        assert_eq!(value(text, "work_running"), Some(2.5));
        assert_eq!(value(text, "work"), None);
    }
}
