//! Field masks over the message `Expense`.

use prost_types::FieldMask;

use super::refusal::ExpensesRefusal;
use crate::expenses::ExpenseFields;

const PATHS: [(&str, ExpenseFields); 14] = [
    ("id", ExpenseFields::ID),
    ("title", ExpenseFields::TITLE),
    ("description", ExpenseFields::DESCRIPTION),
    ("price_cents", ExpenseFields::PRICE),
    ("resolved", ExpenseFields::RESOLVED),
    ("date", ExpenseFields::DATE),
    ("created_at", ExpenseFields::CREATED_AT),
    ("updated_at", ExpenseFields::UPDATED_AT),
    ("payee", ExpenseFields::PAYEE),
    ("payee.id", ExpenseFields::PAYEE_ID),
    ("payee.username", ExpenseFields::PAYEE_USERNAME),
    ("payee.created_at", ExpenseFields::PAYEE_CREATED_AT),
    ("payee.updated_at", ExpenseFields::PAYEE_UPDATED_AT),
    ("tags", ExpenseFields::TAGS),
];

/// The fields that a mask lets through: all when there is none, or nothing in it.
///
/// # Errors
/// [`ExpensesRefusal::UnknownPath`].
pub fn fields_of(mask: Option<&FieldMask>) -> Result<ExpenseFields, ExpensesRefusal> {
    match mask {
        Some(mask) if !mask.paths.is_empty() => mask.paths.iter().map(|path| field(path)).collect(),
        _ => Ok(ExpenseFields::all()),
    }
}

fn field(path: &str) -> Result<ExpenseFields, ExpensesRefusal> {
    let found = PATHS.into_iter().find(|(known, _)| *known == path);
    found
        .map(|(_, field)| field)
        .ok_or_else(|| ExpensesRefusal::UnknownPath {
            path: path.to_owned(),
            known: PATHS.map(|(known, _)| known).join(", "),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(paths: &[&str]) -> Option<ExpenseFields> {
        let paths = paths.iter().map(|&path| path.to_owned()).collect();
        fields_of(Some(&FieldMask { paths })).ok()
    }

    #[test]
    fn paths_add_up_and_none_stand_for_all() {
        let all = Some(ExpenseFields::all());
        assert_eq!(fields_of(None).ok(), all);
        assert_eq!(fields(&[]), all);
        assert_eq!(fields(&PATHS.map(|(path, _)| path)), all);
        assert_eq!(fields(&["price_cents"]), Some(ExpenseFields::PRICE));
        let both = ExpenseFields::PAYEE_USERNAME | ExpenseFields::ID;
        assert_eq!(fields(&["payee.username", "id", "id"]), Some(both));
    }

    #[test]
    fn unknown_paths_are_named() {
        for path in ["", "price", "payee.", "parts", "expenses.id"] {
            assert_eq!(fields(&["id", path]), None, "{path}");
        }
    }
}
