const UTF8 = 'utf-8';
const LATIN1 = 'windows-1252';

/** The text of bytes in a file: UTF-8, or else Windows-1252; NULs at its end are removed. */
export function storedText(bytes: Uint8Array): string {
  let length = bytes.length;
  while (length > 0 && bytes[length - 1] === 0) length--;
  const text = bytes.slice(0, length);
  try {
    return new TextDecoder(UTF8, { fatal: true, ignoreBOM: true }).decode(text);
  } catch {
    return new TextDecoder(LATIN1).decode(text);
  }
}
