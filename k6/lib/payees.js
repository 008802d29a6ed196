// What a client of REST does with two lists: it gives every expense the whole of its payee.

/**
 * @param {any} expenses
 * @param {any} users
 * @returns {any} nothing when one of the lists is missing
 */
export function withPayees(expenses, users) {
  if (!Array.isArray(expenses) || !Array.isArray(users)) return undefined;
  const byId = new Map(users.map((user) => [user.id, user]));
  return expenses.map((expense) => ({ ...expense, payee: byId.get(expense.payee.id) }));
}
