const QUOTE = 34;
const BACKSLASH = 92;

/**
 * The bytes of a text as JSON has it: quoted, escaped, in UTF-8. Lone surrogates are escaped, so that they survive. For names that
 * are written often: `JsonWriter.name` copies them.
 */
export function encodedText(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length + 2).fill(QUOTE);
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    // The encoder takes longer to begin than a plain text takes as a whole.
    if (!isPlain(code)) return new TextEncoder().encode(JSON.stringify(text));
    bytes[i + 1] = code;
  }
  return bytes;
}

/** Whether a UTF-16 unit is a character of ASCII that JSON has as it is. */
export function isPlain(code: number): boolean {
  return code >= 32 && code <= 126 && code !== QUOTE && code !== BACKSLASH;
}
