import { TextJob } from '../../core/generated/jobs.js';
import type { Core } from '../../core/load.js';
import type { HeldResults } from '../../statistics/compute.js';
import type { Location, StatisticsAnswer } from '../answer-data.js';
import { type EncodedText, encodeJson } from '../json-bytes.js';
import { JsonWriter } from '../json-writer.js';
import { jsonColumns, rowCount, type ValueField, visitHead } from './answer-description.js';
import { answerParts, completeJson } from './answer-json.js';
import { SKILL_DECIMALS, SKILL_PERIOD_NAME, STATISTICS } from './statistics-answer.js';

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
  /** The numbers of each variable, window by window: the mean, the quantiles, and then skill where it is requested. */
  readonly variables: readonly NumberTextShape[];
  /** Where the days that skill is of are in the text of the first variable; undefined without skill. */
  readonly skillPeriodAt: number | undefined;

  private constructor(
    parts: readonly string[],
    variables: readonly NumberTextShape[],
    skillPeriodAt: number | undefined,
  ) {
    this.skillPeriodAt = skillPeriodAt;
    this.#head = parts.slice(0, COORDINATES).map((part) => encodeJson(`${part}:`));
    this.#end = encodeJson(parts[parts.length - 1]);
    this.variables = variables;
  }

  /**
   * That of all answers which differ from this one in their coordinates and statistics only; undefined where more than
   * these depends on the point, or the texts of the answer could be taken for a missing number.
   */
  static of(answer: StatisticsAnswer): StatisticsSkeleton | undefined {
    const hasSkill = answer.variables.some(({ skill }) => skill !== undefined);
    const least = hasSkill ? SKILL_DECIMALS : 0;
    const isUnusual = answer.variables.some(
      ({ variable: { decimals }, downscaled }) => downscaled || decimals > 3 || decimals < least,
    );
    if (isUnusual) return undefined;
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
    if (parts.length !== numbers + 1) return undefined;
    if (!hasSkill) return new StatisticsSkeleton(parts, variables, undefined);
    const [first] = variables;
    const at = first === undefined ? -1 : placeAfter(first.texts[0], SKILL_PERIOD_TEXT);
    return at < 0 ? undefined : new StatisticsSkeleton(parts, variables, at);
  }

  /**
   * Writes the body at a point; \`numbers\` gives the numbers of each variable with their texts, which are copied before the next
   * variable is asked for. False where it gives none: then only a part is written.
   */
  write(
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

/** What is before the days that skill is of; texts of others have other quotes. */
const SKILL_PERIOD_TEXT = `"${SKILL_PERIOD_NAME}":"`;

/** The place behind a text of ASCII in bytes; -1 where it is not in them. */
function placeAfter(bytes: Uint8Array, text: string): number {
  const at = Array.from(bytes, (byte) => String.fromCharCode(byte))
    .join('')
    .indexOf(text);
  return at < 0 ? at : at + text.length;
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

/** The kernel reads and writes vectors of so many bytes. */
const VECTOR_BYTES = 16;
/** A number takes at most so many bytes: ten digits, a sign and a point. */
const MAX_NUMBER_BYTES = 12;

/** The shape of a text with numbers. */
export interface NumberTextShape {
  /** What is before each number, in the order in which they are written; UTF-8. */
  readonly texts: readonly Uint8Array[];
  readonly columns: number;
  /** 0 to 3. */
  readonly decimals: number;
}

/** Writes float32 numbers, each after a text of its own, by a kernel: all in the core's memory. */
export class NumberText {
  readonly #core: Core;
  readonly #job: TextJob;
  readonly #out: number;
  /** The bytes of the numbers of a cell in a column. */
  readonly #cellBytes: number;

  /** Takes scratch from the core's memory. */
  constructor(core: Core, { texts, columns, decimals }: NumberTextShape) {
    const { memory } = core;
    const places = new Map<Uint8Array, number>();
    let bytes = 0;
    for (const text of texts) {
      if (places.has(text)) continue;
      places.set(text, bytes);
      bytes += text.length;
    }
    const held = memory.scratch(bytes + VECTOR_BYTES);
    const table = memory.scratch(8 * texts.length);
    const length = texts.reduce((sum, text) => sum + text.length + MAX_NUMBER_BYTES, VECTOR_BYTES);
    this.#out = memory.scratch(length);
    const rows = texts.length / columns;
    this.#cellBytes = rows * Float32Array.BYTES_PER_ELEMENT;
    this.#core = core;
    this.#job = new TextJob(memory, { texts: table, out: this.#out, decimals, columnCount: columns, rows });
    for (const [text, at] of places) memory.bytes(held + at, text.length).set(text);
    const words = memory.whole('int32');
    texts.forEach((text, i) => {
      words[table / 4 + 2 * i] = held + (places.get(text) as number);
      words[table / 4 + 2 * i + 1] = text.length;
    });
  }

  /**
   * The text with the numbers of some columns at a cell, row after row, as \`JsonWriter.number\` writes them: a view, valid
   * until it is called again. Undefined where a number is infinite or too large.
   */
  write({ address, columnBytes }: HeldResults, cell = 0): Uint8Array | undefined {
    const { kernels, memory } = this.#core;
    this.#job.set(address + cell * this.#cellBytes, columnBytes);
    const end = kernels.writeNumbersF32(this.#job.address) >>> 0;
    return end === 0 ? undefined : memory.bytes(this.#out, end - this.#out);
  }
}
