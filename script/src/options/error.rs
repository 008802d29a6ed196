//! What can be wrong with options.

/// Options that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// A value of the wrong kind.
    #[error("{name}: {value} cannot be used; give {expected}")]
    Value {
        /// The option, with its scenario if it has one.
        name: String,
        /// What was given.
        value: String,
        /// What is expected.
        expected: &'static str,
    },
    /// Something has to be given.
    #[error("{name} is missing; give {expected}")]
    Missing {
        /// The option.
        name: String,
        /// What is expected.
        expected: &'static str,
    },
    /// A scenario has an option that its executor does not know.
    #[error("{name}: there is no such option; remove it or correct its name")]
    Unknown {
        /// The option.
        name: String,
    },
    /// k6 has it and this runner has not.
    #[error("the option {0} is not built into this runner; remove it, or run the script with k6")]
    NotBuilt(String),
    /// A certificate and a key that cannot be used.
    #[error("{name}{why}")]
    Identity {
        /// Of which option, with a dot at its end.
        name: String,
        /// What is wrong with them.
        why: String,
    },
    /// TLS options that leave nothing to agree on.
    #[error("{0}; give other values for tlsVersion and tlsCipherSuites")]
    Tls(String),
    /// Two options that exclude each other.
    #[error("{0} and {1} exclude each other; give one of them")]
    Conflict(&'static str, &'static str),
    /// A scenario calls something that is not there.
    #[error("function '{0}' not found in exports")]
    NoFunction(String),
}

/// Options that are passed over.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionWarning {
    /// Not an option.
    #[error("there is no option {0:?}; it is passed over")]
    Unknown(String),
    /// `vus` says nothing where scenarios say everything.
    #[error("vus is passed over: the scenarios of the script say how many virtual users they have")]
    VusWithScenarios,
}
