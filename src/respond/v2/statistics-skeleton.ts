import type { Location, StatisticsAnswer } from '../answer-data.js';
import { type EncodedText, encodeJson } from '../encoded-text.js';
import { JsonWriter } from '../json-writer.js';
import type { NumberTextShape } from '../number-text.js';
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
    const isUnusual = answer.variables.some(
      ({ variable, downscaled, thresholds, terciles }) => downscaled || thresholds || terciles || variable.decimals > 3,
    );
    if (isUnusual) return undefined;
    const writer = new JsonWriter();
    const body = new TextDecoder().decode(completeJson(statisticsParts(withoutNumbers(answer), writer), writer));
    const parts = body.split(MISSING_NUMBER);
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

function withoutNumbers(answer: StatisticsAnswer): StatisticsAnswer {
  const variables = answer.variables.map((one) => {
    const missing = new Float32Array(one.statistics.length).fill(Number.NaN);
    const quantiles = one.statistics.quantiles.map(() => missing);
    return { ...one, statistics: { ...one.statistics, mean: missing, quantiles } };
  });
  return { ...answer, requested: NO_LOCATION, closest: NO_LOCATION, variables };
}
