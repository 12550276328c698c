const [QUOTE, BACKSLASH, COMMA, LIST, OBJECT] = [0x22, 0x5c, 0x2c, 0x5b, 0x7b];

/**
 * Returns true if a JSON text has more values than the limit; an empty list or object counts as two. Takes a small part
 * of the time of parsing the text, which need not be valid.
 */
export function hasMoreValues(bytes: Uint8Array, limit: number): boolean {
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if ((byte === COMMA || byte === LIST || byte === OBJECT) && ++values > limit) return true;
  }
  return false;
}

/** Returns the position of the quote that ends the string which begins at `start`; without one, that of the end. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end !== -1; end = bytes.indexOf(QUOTE, end + 1)) {
    let first = end;
    while (bytes[first - 1] === BACKSLASH) first--;
    if ((end - first) % 2 === 0) return end;
  }
  return bytes.length;
}
