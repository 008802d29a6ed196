//! Passwords: scrypt with the cost that Node's library has by default (N 16,384, r 8, p 1) and 64 bytes.

use std::fmt::Write;

use scrypt::Params;
use uuid::Uuid;

/// The password of every generated user. It guards nothing: the data are generated as well.
#[cfg(test)]
pub const GENERATED_PASSWORD: &str = "test";
/// The salt of every generated user.
pub const GENERATED_SALT: &str = "bookstore-bench";
/// scrypt of the two, worked out once since it takes 50 ms; a test works it out again.
pub const GENERATED_HASH: &str = "cd319958da29752c26f345172012e9d0ce67787a72f59a99025c31e7b0534c33\
     79575bdb64f1d282766756b227dcf2c2f710356e0e29974d51a6d42c5e7dc927";

const LOG_N: u8 = 14;
const BLOCK_SIZE: u32 = 8;
const PARALLELISM: u32 = 1;
const HASH_BYTES: usize = 64;

/// The hash of a password, 128 lower-case hexadecimal digits. Takes 50 ms of CPU time by design.
pub fn hash(password: &str, salt: &str) -> String {
    let params = Params::new(LOG_N, BLOCK_SIZE, PARALLELISM).expect("the cost is within bounds");
    let mut bytes = [0; HASH_BYTES];
    scrypt::scrypt(password.as_bytes(), salt.as_bytes(), &params, &mut bytes)
        .expect("the hash has an allowed length");
    let mut text = String::with_capacity(2 * HASH_BYTES);
    for byte in bytes {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// A salt that no other user has.
pub fn fresh_salt() -> String {
    Uuid::new_v4().simple().to_string()
}

/// Whether this is the password. Takes 50 ms of CPU time by design.
pub fn matches(password: &str, salt: &str, expected: &str) -> bool {
    same(hash(password, salt).as_bytes(), expected.as_bytes())
}

/// Compares in the same time wherever the two differ.
fn same(left: &[u8], right: &[u8]) -> bool {
    left.len() == right.len()
        && left
            .iter()
            .zip(right)
            .fold(0, |difference, (left, right)| difference | (left ^ right))
            == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generated_hash_belongs_to_the_generated_password() {
        let worked_out = hash(GENERATED_PASSWORD, GENERATED_SALT);
        assert_eq!(worked_out, GENERATED_HASH);
        assert!(!matches("Test", GENERATED_SALT, GENERATED_HASH));
    }
}
