import { shellWord } from '../../check/shell-word.js';

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
