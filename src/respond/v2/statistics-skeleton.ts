import type { Location, StatisticsAnswer } from '../answer-data.js';
import { type EncodedText, encodeJson } from '../encoded-text.js';
import { JsonWriter } from '../json-writer.js';
import type { NumberTextShape } from '../number-text.js';
import { jsonColumns, rowCount, type ValueField, visitHead } from './answer-description.js';
import { answerParts, completeJson } from './answer-json.js';
import { STATISTICS } from './statistics-answer.js';

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
    const variables = answer.variables.map((one) => {
      const columns = jsonColumns(STATISTICS, answer, one).length;
      const texts = parts.slice(numbers, numbers + rowCount(one) * columns).map(encode);
      numbers += texts.length;
      return { texts, columns, decimals: one.variable.decimals };
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

/** The body of an answer in which all numbers that are written anew are missing; undefined where it needs others. */
function bodyWithoutNumbers(answer: StatisticsAnswer): string | undefined {
  const { head, variable, values } = STATISTICS;
  const roles = usedValues(answer).map(({ role }) => role);
  visitHead(head, answer, ({ role }) => roles.push(role));
  for (const field of Object.values(variable)) if (field !== 'in values') roles.push(field.role);
  if (roles.includes('unprepared')) return undefined;
  const withoutNumbers = {
    ...STATISTICS,
    values: Object.fromEntries(Object.entries(values).map(([name, field]) => [name, missing(field)])),
  };
  const variables = answer.variables.map((one) => withoutPlaces(one, variable));
  const writer = new JsonWriter();
  const known = { ...withoutPlaces(answer, head), variables };
  return new TextDecoder().decode(completeJson(answerParts(withoutNumbers, known, writer), writer));
}

/** What the JSON of any variable has columns of. */
function usedValues(answer: StatisticsAnswer) {
  return Object.values(STATISTICS.values).filter(
    (field) => field.schema !== undefined && answer.variables.some((one) => field.columns(answer, one).length > 0),
  );
}

/** The same columns without their numbers where these are of a point. */
function missing<Answer, One>(field: ValueField<Answer, One>): ValueField<Answer, One> {
  if (field.role !== 'of-point') return field;
  return {
    ...field,
    columns: (answer, one) =>
      field.columns(answer, one).map((column) => {
        return { ...column, values: new Float32Array(column.values.length).fill(Number.NaN) };
      }),
  };
}

/** A copy with a missing place in each field that is one of a point. */
function withoutPlaces<Data extends object>(data: Data, fields: object): Data {
  const copy = { ...data };
  for (const [name, field] of Object.entries(fields)) {
    if (field.role === 'of-point') Object.assign(copy, { [name]: NO_LOCATION });
  }
  return copy;
}
