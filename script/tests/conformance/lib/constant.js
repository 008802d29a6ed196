export const CONSTANT = 42;
