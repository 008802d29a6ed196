//! Ctrl-C and termination: finish in order at the first signal, at once at the second.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    flag,
};

/// Exit code after an interruption, as shells expect it of Ctrl-C.
const EXIT_CODE: i32 = 130;

/// Whether the user wants to stop.
#[derive(Clone, Debug)]
pub struct Interrupt {
    asked: Arc<AtomicBool>,
}

impl Interrupt {
    /// Listens for SIGINT, SIGTERM and SIGHUP from now on.
    ///
    /// # Errors
    /// The system refuses the handler.
    pub fn install() -> io::Result<Self> {
        let asked = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // Registered before the flag is set: only a second signal finds it set.
            flag::register_conditional_shutdown(signal, EXIT_CODE, Arc::clone(&asked))?;
            flag::register(signal, Arc::clone(&asked))?;
        }
        Ok(Self { asked })
    }

    /// Whether a signal has come.
    #[must_use]
    pub fn asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }
}
