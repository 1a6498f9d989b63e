// The translated texts of the page: elements with data-text inside #play-texts, and sentences by code that the server
// gives.  "{name}" is replaced by a value.

const texts = new Map([...document.querySelectorAll("#play-texts [data-text]")].map((item) => [item.dataset.text, item.textContent]));

export function text(key, values = {}) {
  const found = texts.get(key) ?? "";
  return found.replace(/\{(\w+)\}/g, (_all, name) => values[name] ?? "");
}

// The text of the first key that has one, else `otherwise`: codes of a newer server may be unknown here.
export function textOf(keys, otherwise) {
  const known = keys.find((key) => texts.has(key));
  return known ? text(known) : otherwise;
}

export function addTexts(more) {
  for (const [key, sentence] of Object.entries(more)) texts.set(key, sentence);
}
