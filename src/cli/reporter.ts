import type { Command } from 'commander';
import pc from 'picocolors';
import { printable } from '../check/printable.js';
import type { PlumecastError } from '../errors.js';
import type { Notice } from '../input/notice.js';
import { translateError, translateMessage } from './command-words.js';
import { colours } from './terminal.js';

/**
 * Writes the messages of a command to standard error; with --quiet neither notes nor progress, but warnings and errors.
 */
export class Reporter {
  readonly #command: Command;
  readonly #isQuiet: boolean;

  constructor(command: Command) {
    this.#command = command;
    this.#isQuiet = command.opts().quiet === true;
  }

  error(error: PlumecastError): void {
    const { red } = pc.createColors(colours(process.stderr));
    process.stderr.write(`${red('error:')} ${printable(translateError(this.#command, error))}\n`);
  }

  /** A note or a warning about an input. */
  readonly notice = ({ kind, source, text }: Notice): void => {
    if (this.#isQuiet && kind === 'note') return;
    process.stderr.write(`${printable(`${kind}: ${source}: ${this.translate(text)}`)}\n`);
  };

  /** A note whose text names its subject, and no option. */
  note(text: string): void {
    if (!this.#isQuiet) process.stderr.write(`note: ${printable(text)}\n`);
  }

  /** Translates a note, a warning or the message of an error for the command. */
  translate(text: string): string {
    return translateMessage(this.#command, text);
  }

  progress(): Progress {
    return new Progress(this.#isQuiet);
  }
}

/** How long work takes before its progress is shown, in milliseconds. */
const DELAY = 1000;

/** Shows the progress of long work on standard error; only on a terminal, and only after a second. */
export class Progress {
  readonly #started = Date.now();
  readonly #isQuiet: boolean;
  #shown = false;

  constructor(isQuiet = false) {
    this.#isQuiet = isQuiet;
  }

  report(text: string): void {
    if (this.#isQuiet || !process.stderr.isTTY || Date.now() - this.#started < DELAY) return;
    process.stderr.write(`\r\u001b[K${text}`);
    this.#shown = true;
  }

  end(): void {
    if (this.#shown) process.stderr.write('\r\u001b[K');
    this.#shown = false;
  }
}
