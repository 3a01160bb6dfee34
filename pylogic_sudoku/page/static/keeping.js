// What survives a reload, and what a link holds beside a puzzle: values as text.

/** Characters of a link: most programs that pass links on keep as many. */
export const LONGEST = 8000;
const MOST = 2 ** 20; // characters of an unpacked value: a small text may hold a huge one

/** Keep a value for a reload of this tab, and for the next tab. */
export function keep(key, value) {
  for (const storage of [sessionStorage, localStorage]) {
    try {
      storage.setItem(key, JSON.stringify(value));
    } catch {
      // Full, or forbidden: a reload starts over.
    }
  }
}

/** The value that is kept, or null. */
export function kept(key) {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? localStorage.getItem(key));
  } catch {
    return null; // another version stored it
  }
}

/** A value as a short text of letters, digits, "-" and "_". */
export async function packed(value) {
  const stream = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The value of such a text; an Error if it is none. */
export async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (symbol) => symbol.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).pipeThrough(new TextDecoderStream()).getReader();
  let json = "";
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    json += piece.value;
    if (json.length > MOST) throw new RangeError("too long");
  }
  return JSON.parse(json);
}
