// Positions as rows of symbols: 0 to 8, "." closed, "F" flag, "?" open without its number.

const SIGNS = /^[0-8.F?]+$/;
export const CLOSED = ".";
export const FLAG = "F";

// The rows of a text, separated by line breaks or slashes, as the server reads them.
export function rowsOf(text) {
  return text
    .replaceAll("/", "\n")
    .replace(/[-_#]/g, CLOSED)
    .replaceAll("f", FLAG)
    .replace(/[ \t]/g, "")
    .split(/[\r\n\v\f\x1c-\x1e\x85\u2028\u2029]+/)
    .filter((line) => line !== "");
}

export function isPosition(rows) {
  return rows.length > 0 && rows.every((row) => SIGNS.test(row) && row.length === rows[0].length);
}

// A pasted text: rows, or a link to this page with rows and mines; null if it is neither.
export function pasted(text) {
  const parameters = new URLSearchParams(text.trim().replace(/^[^?]*\?(?=.*position=)/s, ""));
  const linked = text.includes("position=");
  const rows = rowsOf(linked ? parameters.get("position") ?? "" : text);
  if (!isPosition(rows)) return null;
  return { rows, mines: linked ? parameters.get("mines") : null, ignored: linked && parameters.get("flags") === "ignored" };
}

// The rows in another size: cut off, or with closed cells added.
export function resized(rows, height, width) {
  return Array.from({ length: height }, (_, row) => (rows[row] ?? "").slice(0, width).padEnd(width, CLOSED));
}

export function queryOf(text, mines, ignored) {
  const position = encodeURIComponent(text).replaceAll("%2F", "/");
  return `?position=${position}&mines=${encodeURIComponent(mines)}${ignored ? "&flags=ignored" : ""}`;
}
