import type { FloatArray } from '../core/float-array.js';
import { unusable } from '../errors.js';
import { FIRST_DAY, LAST_DAY } from '../period/day.js';
import type { WindowTable } from '../period/window-table.js';
import type {
  HistoryAnswer,
  LegacyClimatologyAnswer,
  LegacyForecastAnswer,
  LegacyHistoryAnswer,
  MembersAnswer,
} from './answer-data.js';
import { JsonWriter } from './json-writer.js';
import { writeLegacyClimatology, writeLegacyForecast, writeLegacyHistory } from './v1/legacy-json.js';
import { answerParts, completeJson } from './v2/answer-json.js';
import { HISTORY } from './v2/history-answer.js';
import { MEMBERS } from './v2/members-answer.js';
import { STATISTICS, type WrittenStatistics } from './v2/statistics-answer.js';

/*
 * The writers of JSON for callers of the package: the service's own, but they throw OptionError for what is not an
 * answer. The contents of an answer are not checked before they are written: that would take as long as writing them.
 */

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * The body of `/v2/forecast`, as UTF-8. Pass a `writer` to reuse its buffer from call to call, here and in the other
 * functions.
 */
export function membersJson(answer: MembersAnswer, writer?: JsonWriter): Bytes {
  return writeChecked(answer, writer, (own) => completeJson(answerParts(MEMBERS, answer, own), own));
}

/** The body of `/v2/forecast/statistics`, as UTF-8. */
export function statisticsJson(answer: WrittenStatistics, writer?: JsonWriter): Bytes {
  return writeChecked(answer, writer, (own) => completeJson(answerParts(STATISTICS, answer, own), own));
}

/** The body of `/v2/history`, as UTF-8. */
export function historyJson(answer: HistoryAnswer, writer?: JsonWriter): Bytes {
  return writeChecked(answer, writer, (own) => completeJson(answerParts(HISTORY, answer, own), own));
}

/** The body of `/v1/forecast/...`, as UTF-8. */
export function legacyForecastJson(answer: LegacyForecastAnswer, writer?: JsonWriter): Bytes {
  return writeChecked(answer, writer, (own) => writeLegacyForecast(answer, own));
}

/** The body of `/v1/history`, as UTF-8. */
export function legacyHistoryJson(answer: LegacyHistoryAnswer, writer?: JsonWriter): Bytes {
  return writeChecked(answer, writer, (own) => writeLegacyHistory(answer, own));
}

/** The body of `/v1/climatology`, as UTF-8. */
export function legacyClimatologyJson(answer: LegacyClimatologyAnswer, writer?: JsonWriter): Bytes {
  return writeChecked(answer, writer, (own) => writeLegacyClimatology(answer, own));
}

interface Written {
  readonly variables: readonly { windows?: Partial<WindowTable>; days?: number; members?: readonly FloatArray[] }[];
}

/** Throws OptionError where an answer states more entries than it has: writing them might never end. */
function assertLengths({ windows, days, members = [] }: Written['variables'][number]): void {
  const { count, start } = windows ?? {};
  if (windows !== undefined && start?.length !== count) throw unusable('windows.count', count, `${start?.length}`);
  if (days === undefined) return;
  const maxDays = LAST_DAY - FIRST_DAY + 1;
  const isCount = Number.isSafeInteger(days) && days >= 0 && days <= maxDays;
  if (!isCount || members.some(({ length }) => length < days)) throw unusable('days', days, 'as many as members have');
}

function writeChecked(answer: unknown, writer: JsonWriter | undefined, write: (writer: JsonWriter) => Bytes): Bytes {
  if (writer !== undefined && typeof writer?.beginObject !== 'function')
    throw unusable('writer', writer, 'a JsonWriter');
  try {
    (answer as Written).variables.forEach(assertLengths);
    return write(writer ?? new JsonWriter());
  } catch (cause) {
    if (!(cause instanceof TypeError || cause instanceof RangeError)) throw cause;
    throw unusable('answer', answer, `an answer of this kind (${cause.message})`);
  }
}
