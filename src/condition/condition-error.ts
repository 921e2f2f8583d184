import { OptionError } from '../errors.js';

/** So many characters of a condition are shown. */
const SHOWN = 72;

/** A text that is not a condition. The last two lines of the message show the text, and point at a character of it. */
export class ConditionError extends OptionError {
  /** The character at which the text is no condition, from 0 to its length. */
  readonly position: number;
  /** The line of the text around that character, and the line that points at it. */
  readonly lines: string;

  constructor(text: string, position: number, problem: string, allowed?: string) {
    super({ subject: 'condition', problem: `${problem} at character ${position + 1}`, allowed });
    this.position = position;
    this.lines = pointAt(text, position);
    this.message += `\n${this.lines}`;
  }
}

function pointAt(text: string, position: number): string {
  const from = Math.max(0, Math.min(position - SHOWN / 2, text.length - SHOWN));
  // Characters that a terminal does not show, or does something by.
  const shown = text.slice(from, from + SHOWN).replace(/[\p{C}\p{Z}]/gu, (character) => ' '.repeat(character.length));
  const before = from > 0 ? '...' : '';
  const after = from + SHOWN < text.length ? '...' : '';
  return `  ${before}${shown}${after}\n  ${' '.repeat(before.length + position - from)}^`;
}
