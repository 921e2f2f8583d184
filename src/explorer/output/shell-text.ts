/*
 * Text for the shell of the reader. Names of files, arrays and units may hold anything, also commands: only the text of
 * this program is written as it is, every value is quoted.
 */

/** Text that a shell may run: only `shell` and `shellWords` make it. */
export class ShellText {
  readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  static join(texts: readonly string[], values: readonly ShellValue[]): ShellText {
    const words = values.map((value) => (value instanceof ShellText ? value.text : shellWord(value)));
    return new ShellText(texts.map((text, i) => text + (words[i] ?? '')).join(''));
  }
}

/** Text that a shell may run, or a value that becomes one word of it. */
export type ShellValue = ShellText | string;

/** A command: the words of the template as they are, and values as one word each. */
export function shell(texts: TemplateStringsArray, ...values: readonly ShellValue[]): ShellText {
  return ShellText.join(texts, values);
}

/** Commands or values with spaces between them. */
export function shellWords(values: readonly ShellValue[]): ShellText {
  return ShellText.join(
    values.map((_, i) => (i === 0 ? '' : ' ')),
    values,
  );
}

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
function shellWord(value: string): string {
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
