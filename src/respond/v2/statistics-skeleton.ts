import type { FloatArray } from '../../core/float-array.js';
import type { Location, StatisticsAnswer } from '../answer-data.js';
import { type EncodedText, encodeJson } from '../encoded-text.js';
import { JsonWriter } from '../json-writer.js';
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
  /** What is before each number, and after the last one. */
  readonly #texts: readonly EncodedText[];
  readonly #decimals: readonly number[];
  /** The index of each variable's first text. */
  readonly #firsts: readonly number[];

  private constructor(texts: readonly EncodedText[], decimals: readonly number[], firsts: readonly number[]) {
    this.#texts = texts;
    this.#decimals = decimals;
    this.#firsts = firsts;
  }

  /**
   * That of all answers which differ from this one in their coordinates and statistics only; undefined where more than
   * these depends on the point, or the texts of the answer could be taken for a missing number.
   */
  static of(answer: StatisticsAnswer): StatisticsSkeleton | undefined {
    if (answer.variables.some(({ downscaled, thresholds, terciles }) => downscaled || thresholds || terciles)) {
      return undefined;
    }
    const writer = new JsonWriter();
    const body = new TextDecoder().decode(completeJson(statisticsParts(withoutNumbers(answer), writer), writer));
    const parts = body.split(MISSING_NUMBER);
    const firsts: number[] = [];
    let numbers = COORDINATES;
    for (const { statistics } of answer.variables) {
      firsts.push(numbers);
      numbers += statistics.length * (1 + statistics.quantiles.length);
    }
    if (parts.length !== numbers + 1) return undefined;
    const known = new Map<string, EncodedText>();
    const texts = parts.map((part, i) => {
      const text = i < numbers ? `${part}:` : part;
      const encoded = known.get(text) ?? encodeJson(text);
      known.set(text, encoded);
      return encoded;
    });
    const decimals = answer.variables.map(({ variable }) => variable.decimals);
    return new StatisticsSkeleton(texts, decimals, firsts);
  }

  /**
   * The body at a point; `compute` gives the mean and the quantiles of each variable, an entry for each window, which
   * are written before the next variable is computed. Undefined where it gives none. Throws DataError for an infinite
   * value.
   */
  write(
    writer: JsonWriter,
    requested: Location,
    closest: Location,
    compute: (variable: number) => readonly FloatArray[] | undefined,
  ): Uint8Array<ArrayBuffer> | undefined {
    const texts = this.#texts;
    writer.begin();
    writer.encoded(texts[0]);
    writer.exact(requested.latitude);
    writer.encoded(texts[1]);
    writer.exact(requested.longitude);
    writer.encoded(texts[2]);
    writer.exact(closest.latitude);
    writer.encoded(texts[3]);
    writer.exact(closest.longitude);
    for (let v = 0; v < this.#firsts.length; v++) {
      const columns = compute(v);
      if (columns === undefined) return undefined;
      writer.numbersBetween(texts, this.#firsts[v] + 0, columns, this.#decimals[v]);
    }
    writer.encoded(texts[texts.length - 1]);
    return writer.finish();
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
