import type { RandomAccess } from '../array/random-access.js';
import { grib1End, readGrib1 } from './grib1-message.js';
import { grib2End, readGrib2 } from './grib2-message.js';
import { MessageDamage, messageError } from './message-error.js';
import type { Grib1Field, GribFault, GribField, MessagePlace } from './messages.js';
import { SlidingWindow } from './sliding-window.js';

/**
 * The fields of a GRIB file in the order in which they are stored, with what their headers say; packed values are not
 * read. What lies between messages is skipped. A damaged message gives a fault, and the file is read on behind it; its
 * fields before the damage have been given by then. A file without any message gives nothing.
 *
 * Reads about 4 KiB for each message, where its sections begin and where it ends, unless there is something between
 * messages. Throws FileError where the file cannot be read.
 */
export async function* scanMessages(access: RandomAccess): AsyncGenerator<GribField | Grib1Field | GribFault> {
  const window = new SlidingWindow(access);
  // After a message without an end, messages are read only after their end is found: the time stays linear.
  let isBroken = false;
  let message = 0;
  for (let at = await window.find(0); at !== undefined; at = await window.find(at)) {
    const place = { source: access.source, message: ++message, offset: at };
    let end: number | undefined;
    try {
      const isFirst = await isEdition1(window, at);
      end = isFirst ? await grib1End(window, at) : await grib2End(window, at);
      if (isBroken && !(await hasEnd(window, end))) throw missingEnd();
      if (isFirst) yield await readGrib1(window, place, end);
      else yield* readGrib2(window, place, end);
      if (!(await hasEnd(window, end))) throw missingEnd();
      at = end;
    } catch (error) {
      if (!(error instanceof MessageDamage)) throw error;
      yield { kind: 'fault', ...place, error: messageError(place, error.section, error.parts) };
      const isEnclosed = end !== undefined && (await hasEnd(window, end));
      isBroken ||= !isEnclosed && error.end === undefined;
      at = error.end ?? (isEnclosed ? end! : at + 4);
    }
  }
}

/**
 * The fields of the message at a place of a file, and where it ends; undefined where none begins there, or it is
 * damaged. Throws FileError where the file cannot be read.
 */
export async function readMessageAt(
  window: SlidingWindow,
  place: MessagePlace,
): Promise<{ readonly fields: readonly (GribField | Grib1Field)[]; readonly end: number } | undefined> {
  const { offset } = place;
  if (!(await window.startsAt(offset))) return undefined;
  try {
    const isFirst = await isEdition1(window, offset);
    const end = isFirst ? await grib1End(window, offset) : await grib2End(window, offset);
    const fields: (GribField | Grib1Field)[] = [];
    if (isFirst) fields.push(await readGrib1(window, place, end));
    else for await (const field of readGrib2(window, place, end)) fields.push(field);
    return (await hasEnd(window, end)) ? { fields, end } : undefined;
  } catch (error) {
    if (error instanceof MessageDamage) return undefined;
    throw error;
  }
}

async function isEdition1(window: SlidingWindow, at: number): Promise<boolean> {
  return (await window.bytes(at, 8))[7] === 1;
}

async function hasEnd(window: SlidingWindow, end: number): Promise<boolean> {
  return (await window.bytes(end - 4, 4)).every((byte) => byte === 0x37);
}

function missingEnd(): MessageDamage {
  return new MessageDamage(8, { problem: 'is not where the length of the message says', allowed: 'the text 7777' });
}
