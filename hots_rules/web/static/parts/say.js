// Texts of the page: words in which a value stands, and why something was refused.

// A text in which "%" stands for a value.
export const say = (text, value) => text.replace("%", () => String(value));

// What is told of a refusal; what has no status did not come from the table.
export const toldOf = (error, words) => (error.status ? error.message : words.lost);
