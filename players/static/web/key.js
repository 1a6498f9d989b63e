// The key of an event as shortcuts call it, small letters for both cases: what it types, or, where that is of another
// script than Latin or an input method has the key, what the key at that place types on an English keyboard.

const PLACES = { Comma: ",<", Period: ".>", Slash: "/?", Semicolon: ";:", Quote: "'\"", BracketLeft: "[{", BracketRight: "]}", Backslash: "\\|", Backquote: "`~", Minus: "-_", Equal: "=+" };

export function keyOf({ key = "", code = "", shiftKey }) {
  const typed = key.length === 1 ? key.toLowerCase() : key;
  if (key !== "Process" && (/^[\x00-\x7f]*$/.test(key) || /\p{Script=Latin}/u.test(key))) return typed;
  const [, letter] = /^Key([A-Z])$/.exec(code) ?? [];
  const [, digit] = /^Digit(\d)$/.exec(shiftKey ? "" : code) ?? [];
  return letter?.toLowerCase() ?? digit ?? PLACES[code]?.[Number(shiftKey)] ?? typed;
}
