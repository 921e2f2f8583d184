import type { StatisticsColumns } from '../../statistics/statistics-columns.js';
import type { Location, StatisticsAnswer } from '../answer-data.js';
import { type EncodedText, encodeJson } from '../encoded-text.js';
import { JsonWriter } from '../json-writer.js';
import type { NumberTextShape } from '../number-text.js';
import { type FieldRoles, preparedFields, UNPREPARED } from '../prepared-fields.js';
import { statisticsParts } from './statistics-json.js';
import { completeJson } from './write-body.js';

const NO_LOCATION: Location = { latitude: Number.NaN, longitude: Number.NaN };
/** What the writer makes of a number that is missing, behind its name. */
const MISSING_NUMBER = /:null(?=[,}])/;
/** The coordinates requested and those of the place come before all other numbers. */
const COORDINATES = 4;

/**
 * The body of `/v2/forecast/statistics` without its coordinates and statistics, which differ from point to point: what
 * the usual writer makes of an answer in which they are missing.
 */
export class StatisticsSkeleton {
  /** What is before and between the coordinates. */
  readonly #head: readonly EncodedText[];
  readonly #end: EncodedText;
  /** The numbers of each variable, window by window: the mean and then the quantiles. */
  readonly variables: readonly NumberTextShape[];

  private constructor(parts: readonly string[], variables: readonly NumberTextShape[]) {
    this.#head = parts.slice(0, COORDINATES).map((part) => encodeJson(`${part}:`));
    this.#end = encodeJson(parts[parts.length - 1]);
    this.variables = variables;
  }

  /**
   * That of all answers which differ from this one in their coordinates and statistics only; undefined where more than
   * these depends on the point, or the texts of the answer could be taken for a missing number.
   */
  static of(answer: StatisticsAnswer): StatisticsSkeleton | undefined {
    if (answer.variables.some(({ variable, downscaled }) => downscaled || variable.decimals > 3)) return undefined;
    const parts = bodyWithoutNumbers(answer)?.split(MISSING_NUMBER);
    if (parts === undefined) return undefined;
    // Most texts are the same.
    const known = new Map<string, Uint8Array>();
    const encode = (part: string): Uint8Array => {
      const encoded = known.get(part) ?? new TextEncoder().encode(`${part}:`);
      known.set(part, encoded);
      return encoded;
    };
    let numbers = COORDINATES;
    const variables = answer.variables.map(({ variable, statistics }) => {
      const columns = 1 + statistics.quantiles.length;
      const texts = parts.slice(numbers, numbers + statistics.length * columns).map(encode);
      numbers += texts.length;
      return { texts, columns, decimals: variable.decimals };
    });
    return parts.length === numbers + 1 ? new StatisticsSkeleton(parts, variables) : undefined;
  }

  /**
   * The body at a point; `numbers` gives those of each variable with their texts, which are copied before the next
   * variable is asked for. Undefined where it gives none.
   */
  write(
    writer: JsonWriter,
    requested: Location,
    closest: Location,
    numbers: (variable: number) => Uint8Array | undefined,
  ): Uint8Array<ArrayBuffer> | undefined {
    return this.append(writer.begin(), requested, closest, numbers) ? writer.finish() : undefined;
  }

  /** As `write`, behind what is written already; false where `numbers` gives none, and then only a part is written. */
  append(
    writer: JsonWriter,
    requested: Location,
    closest: Location,
    numbers: (variable: number) => Uint8Array | undefined,
  ): boolean {
    const head = this.#head;
    writer.encoded(head[0]);
    writer.exact(requested.latitude);
    writer.encoded(head[1]);
    writer.exact(requested.longitude);
    writer.encoded(head[2]);
    writer.exact(closest.latitude);
    writer.encoded(head[3]);
    writer.exact(closest.longitude);
    for (let v = 0; v < this.variables.length; v++) {
      const text = numbers(v);
      if (text === undefined) return false;
      writer.continue(text);
    }
    writer.encoded(this.#end);
    return true;
  }
}

const ANSWER: FieldRoles<StatisticsAnswer> = {
  ...{ initTime: 'constant', version: 'constant', generation: 'constant', attribution: 'constant' },
  ...{ period: 'constant', granularity: 'constant', quantiles: 'constant' },
  ...{ requested: 'of-point', closest: 'of-point', variables: 'of-point' },
};
const VARIABLE: FieldRoles<StatisticsAnswer['variables'][number]> = {
  ...{ variable: 'constant', downscaled: 'constant', horizons: 'constant', windows: 'constant' },
  ...{ location: 'of-point', statistics: 'of-point' },
  ...{ thresholds: 'unprepared', terciles: 'unprepared' },
};
const STATISTICS: FieldRoles<StatisticsColumns> = {
  ...{ length: 'constant', mean: 'of-point', quantiles: 'of-point' },
  ...{ spread: 'unprepared', probabilities: 'unprepared', categories: 'unprepared', members: 'unprepared' },
};

/** The body of an answer in which all numbers that are written anew are missing; undefined where it needs others. */
function bodyWithoutNumbers(answer: StatisticsAnswer): string | undefined {
  const variables = answer.variables.map((one) => {
    const missing = new Float32Array(one.statistics.length).fill(Number.NaN);
    const numbers = { mean: missing, quantiles: one.statistics.quantiles.map(() => missing) };
    const statistics = preparedFields(one.statistics, STATISTICS, numbers);
    return preparedFields(one, VARIABLE, { location: NO_LOCATION, statistics });
  });
  const known = preparedFields(answer, ANSWER, { requested: NO_LOCATION, closest: NO_LOCATION, variables });
  const writer = new JsonWriter();
  try {
    return new TextDecoder().decode(completeJson(statisticsParts(known, writer), writer));
  } catch (error) {
    if (error === UNPREPARED) return undefined;
    throw error;
  }
}
