/** Characters that terminals take for commands, and marks that turn the direction of text after them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced.
const COMMANDS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;

/** A text of a file without what would command a terminal: each such character becomes U+FFFD. */
export function printable(text: string): string {
  return text.replace(COMMANDS, '\uFFFD');
}
