import { utcSeconds } from '../product/time-unit.js';
import type { ListedField, ListedMessage } from './listed-message.js';

/** The number of a message, of a field in it where it has several, its offset, its reference time and what it is. */
const LINE = /^(\d{1,9})(?:\.(\d{1,6}))?:(\d{1,15}):d=(\d{6,14}):([^:]+:[^:]+:[^:].*)$/;

/**
 * Reads the lines of a wgrib2 inventory: `1:0:d=2024010100:TMP:2 m above ground:6 hour fcst:ENS=+1`, `2.1:4711:...` for
 * the first field of a message that has several. Returns what is wrong where they have another form or do not follow
 * each other.
 */
export function readNcepLines(lines: readonly string[]): readonly ListedMessage[] | string {
  const messages: { offset: number; end: undefined; fields: ListedField[] }[] = [];
  for (const [i, line] of lines.entries()) {
    const found = LINE.exec(line);
    if (found === null) return `line ${i + 1} is not one of an inventory`;
    const [number, part, offset] = [Number(found[1]), Number(found[2] ?? 1), Number(found[3])];
    const field = { name: nameOf(found[5]), text: found[5], reference: referenceTime(found[4]) };
    const last = messages.at(-1);
    if (last !== undefined && number === messages.length) {
      if (offset !== last.offset || part !== last.fields.length + 1) return notNext(i);
      last.fields.push(field);
    } else {
      const isNext = number === messages.length + 1 && part === 1 && offset > (last?.offset ?? -1);
      if (!isNext) return notNext(i);
      messages.push({ offset, end: undefined, fields: [field] });
    }
  }
  return messages;
}

function notNext(line: number): string {
  return `line ${line + 1} does not follow the one before by its number and offset`;
}

/** Parameter and level as they are, and the rest without numbers: `APCP:surface:#-# hour acc fcst:ENS=+#`. */
function nameOf(text: string): string {
  const [parameter, level, ...rest] = text.split(':');
  return [parameter, level, ...rest.map((part) => part.replace(/\d+/g, '#'))].join(':');
}

/** Year, month, day and hour, as edition 2 has them; undefined for dates of other lengths. */
function referenceTime(digits: string): number | undefined {
  if (digits.length !== 10) return undefined;
  const [month, day, hour] = [4, 6, 8].map((at) => Number(digits.slice(at, at + 2)));
  return utcSeconds(Number(digits.slice(0, 4)), month, day, hour, 0, 0);
}
