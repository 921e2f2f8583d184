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
} from './answers.js';
import * as history from './history-json.js';
import { JsonWriter } from './json-writer.js';
import * as legacyClimatology from './legacy-climatology-json.js';
import * as legacyForecast from './legacy-forecast-json.js';
import * as legacyHistory from './legacy-history-json.js';
import * as members from './members-json.js';
import * as statistics from './statistics-json.js';

/*
 * The writers of JSON for callers of the package: as those that the service uses, but answers that are none are an OptionError. What an
 * answer consists of is not looked at before it is written, which would take as long.
 */

type Bytes = Uint8Array<ArrayBuffer>;

/** The body of `/v2/forecast`, as UTF-8. */
export function membersJson(answer: MembersAnswer, writer?: JsonWriter): Bytes {
  return written(members.membersJson, answer, writer);
}

/** The body of `/v2/forecast/statistics`, as UTF-8. */
export function statisticsJson(answer: statistics.WrittenStatistics, writer?: JsonWriter): Bytes {
  return written(statistics.statisticsJson, answer, writer);
}

/** The body of `/v2/history`, as UTF-8. */
export function historyJson(answer: HistoryAnswer, writer?: JsonWriter): Bytes {
  return written(history.historyJson, answer, writer);
}

/** The body of `/v1/forecast/...`, as UTF-8. */
export function legacyForecastJson(answer: LegacyForecastAnswer, writer?: JsonWriter): Bytes {
  return written(legacyForecast.legacyForecastJson, answer, writer);
}

/** The body of `/v1/history`, as UTF-8. */
export function legacyHistoryJson(answer: LegacyHistoryAnswer, writer?: JsonWriter): Bytes {
  return written(legacyHistory.legacyHistoryJson, answer, writer);
}

/** The body of `/v1/climatology`, as UTF-8. */
export function legacyClimatologyJson(answer: LegacyClimatologyAnswer, writer?: JsonWriter): Bytes {
  return written(legacyClimatology.legacyClimatologyJson, answer, writer);
}

interface Written {
  readonly variables: readonly { windows?: Partial<WindowTable>; days?: number; members?: readonly FloatArray[] }[];
}

/** Throws OptionError where more entries are said to be there than are: they would be written without end. */
function assertLengths({ windows, days, members = [] }: Written['variables'][number]): void {
  const { count, start } = windows ?? {};
  if (windows !== undefined && start?.length !== count) throw unusable('windows.count', count, `${start?.length}`);
  if (days === undefined) return;
  const most = LAST_DAY - FIRST_DAY + 1;
  const isCount = Number.isSafeInteger(days) && days >= 0 && days <= most;
  if (!isCount || members.some(({ length }) => length < days)) throw unusable('days', days, 'as many as members have');
}

function written<Answer>(
  write: (answer: Answer, writer?: JsonWriter) => Bytes,
  answer: Answer,
  writer: JsonWriter | undefined,
): Bytes {
  if (writer !== undefined && !(writer instanceof JsonWriter)) throw unusable('writer', writer, 'a JsonWriter');
  try {
    (answer as Written).variables.forEach(assertLengths);
    return write(answer, writer);
  } catch (cause) {
    if (!(cause instanceof TypeError || cause instanceof RangeError)) throw cause;
    throw unusable('answer', answer, `an answer of this kind (${cause.message})`);
  }
}
