import { type ErrorParts, FormatError, inWords } from '../../errors.js';
import type { MessagePlace } from './messages.js';

/** What is wrong with a message, before it is known which one it is: `scanMessages` makes a FormatError of it. */
export class MessageDamage extends Error {
  readonly section: number;
  readonly parts: Omit<ErrorParts, 'subject'>;
  /** Where the message ends in spite of what it says of its length. */
  readonly end: number | undefined;

  constructor(section: number, parts: Omit<ErrorParts, 'subject'>, end?: number) {
    super(parts.problem);
    this.section = section;
    this.parts = parts;
    this.end = end;
  }
}

/** The FormatError for a section of a message; its subject names the file, the message, its offset and the section. */
export function messageError(place: MessagePlace, section: number, parts: Omit<ErrorParts, 'subject'>): FormatError {
  const subject = `${place.source}, message ${place.message} at byte ${place.offset}, section ${section}`;
  // No text of a file is received: headers hold numbers.
  const { received } = parts;
  return new FormatError({ subject, ...parts, received: typeof received === 'string' ? inWords(received) : received });
}

/** The FormatError for damaged messages that are too many to be messages, with what is wrong with the first. */
export function tooManyDamaged({ source, offset }: MessagePlace, count: number, first: string): FormatError {
  return new FormatError({
    subject: `${source}, from byte ${offset} on`,
    problem: `nothing is read, as too many messages before are damaged (the first: ${first})`,
    received: `${count}`,
    allowed: 'a GRIB file that is complete',
  });
}
