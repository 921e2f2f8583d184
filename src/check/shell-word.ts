/*
 * Values as words of a command line that a reader may paste into a shell.
 */

/** A path that no command takes for an option. */
export function pathWord(path: string): string {
  return path.startsWith('-') ? `./${path}` : path;
}

/** What every shell reads as one word, as it is. A `=` in front of a word is a path to zsh. */
const PLAIN = /^[\w./-][\w@%+=:,./-]*$/;

/** What a terminal takes for keys, and marks that turn the direction of text: `$'...'` names their bytes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is named.
const KEYS = /[\u0000-\u001F\u007F-\u009F\u200E\u200F\u2028-\u202E\u2066-\u2069]/u;

/** One word that bash and zsh read as the value. Others do too, or stop at `$'...'`: none of them runs what is in it. */
export function shellWord(value: string): string {
  if (PLAIN.test(value)) return value;
  if (KEYS.test(value))
    return `$'${Array.from(value, (char) => (/[\w ./-]/.test(char) ? char : octal(char))).join('')}'`;
  // fish takes \' and \\ within quotes for one character each.
  return `'${value.replace(/'|\\(?=['\\]|$)/g, (char) => (char === "'" ? `'"'"'` : `'"\\\\"'`))}'`;
}

/** The bytes of a character in octal: three digits each, so that no digit after them belongs to them. */
function octal(char: string): string {
  return Array.from(new TextEncoder().encode(char), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}
