//! Which fields of expenses are read.

use bitflags::bitflags;

bitflags! {
    /// Fields of an expense. Those that are left out are not read from the database, and are empty.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ExpenseFields: u16 {
        /// Its id.
        const ID = 1;
        /// Its title.
        const TITLE = 1 << 1;
        /// Its description.
        const DESCRIPTION = 1 << 2;
        /// Its price.
        const PRICE = 1 << 3;
        /// When it was paid.
        const DATE = 1 << 4;
        /// Whether everyone has paid their part.
        const RESOLVED = 1 << 5;
        /// When it was written down.
        const CREATED_AT = 1 << 6;
        /// When it was last changed.
        const UPDATED_AT = 1 << 7;
        /// The id of its payer.
        const PAYEE_ID = 1 << 8;
        /// The name of its payer.
        const PAYEE_USERNAME = 1 << 9;
        /// When its payer was added.
        const PAYEE_CREATED_AT = 1 << 10;
        /// When its payer was last changed.
        const PAYEE_UPDATED_AT = 1 << 11;
        /// The names of its tags.
        const TAGS = 1 << 12;

        /// What it holds itself.
        const OWN = 0xff;
        /// All of its payer.
        const PAYEE = 0xf00;
    }
}
