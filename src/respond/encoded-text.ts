const QUOTE = 34;
const BACKSLASH = 92;

/**
 * The bytes of a text as JSON has it: quoted, escaped, in UTF-8. Lone surrogates are escaped, so that they survive. For names that
 * are written often: `JsonWriter.name` copies them.
 */
export function encodedText(text: string): Uint8Array {
  if (!isPlain(text)) return new TextEncoder().encode(JSON.stringify(text));
  const bytes = new Uint8Array(text.length + 2).fill(QUOTE);
  for (let i = 0; i < text.length; i++) bytes[i + 1] = text.charCodeAt(i);
  return bytes;
}

/** Whether a text is ASCII without anything to escape: the encoder takes longer to begin than such a text takes as a whole. */
export function isPlain(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 32 || code > 126 || code === QUOTE || code === BACKSLASH) return false;
  }
  return true;
}
