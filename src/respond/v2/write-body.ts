import type { Variable } from '../../variable/variable.js';
import type { DayRange, ForecastAnswer, HorizonRange, Location } from '../answer-data.js';
import type { JsonWriter } from '../json-writer.js';
import { writeLocation } from '../write-fields.js';

/** A part of a JSON body that is written row by row: its beginning with the first row, its end with the last one. */
export interface JsonPart {
  readonly rows: number;
  /** Writes the rows from `from` up to, not including, `to`. */
  write(from: number, to: number): void;
}

/** Rows that are written between two checks of a piece's length. */
const STEP_ROWS = 64;
const PIECE_BYTES = 65_536;

/** Writes the parts, in order, as one body. */
export function completeJson(parts: readonly JsonPart[], writer: JsonWriter): Uint8Array<ArrayBuffer> {
  writer.begin();
  for (const part of parts) part.write(0, part.rows);
  return writer.finish();
}

/**
 * The same body in pieces of about 64 KiB, each written on demand; `writer` must not be used for anything else
 * meanwhile.
 */
export function* jsonPieces(parts: readonly JsonPart[], writer: JsonWriter): Generator<Uint8Array> {
  writer.begin();
  for (const part of parts) {
    let row = 0;
    do {
      const end = Math.min(row + STEP_ROWS, part.rows);
      part.write(row, end);
      row = end;
      if (writer.length >= PIECE_BYTES) yield writer.take();
    } while (row < part.rows);
  }
  yield writer.finish();
}

/** The first fields of every `/v2` forecast, up to the period. */
export function writeForecastMetadata(writer: JsonWriter, answer: ForecastAnswer): void {
  writer.name('init_time');
  writer.text(answer.initTime);
  writer.name('version');
  writer.text(answer.version);
  writer.name('generation');
  writer.text(answer.generation);
  writer.name('location');
  writer.beginObject();
  writeLocation(writer, 'requested', answer.requested);
  writeLocation(writer, 'closest_location', answer.closest);
  writer.endObject();
  writePeriod(writer, answer.period);
}

/** The field `period`: the days in the response, or null. */
export function writePeriod(writer: JsonWriter, period: DayRange | undefined): void {
  writer.name('period');
  if (period === undefined) {
    writer.null();
    return;
  }
  writer.beginObject();
  writeDays(writer, period);
  writer.endObject();
}

function writeDays(writer: JsonWriter, { firstDay, lastDay }: DayRange): void {
  writer.name('start_date');
  writer.period('daily', firstDay);
  writer.name('end_date');
  writer.period('daily', lastDay);
}

/** The field `horizons`: the days of each; nothing where they are undefined. */
function writeHorizons(writer: JsonWriter, horizons: readonly HorizonRange[] | undefined): void {
  if (horizons === undefined) return;
  writer.name('horizons');
  writer.beginArray();
  for (const range of horizons) {
    writer.beginObject();
    writer.name('horizon');
    writer.text(range.horizon);
    writeDays(writer, range);
    writer.endObject();
  }
  writer.endArray();
}

/** A variable of an answer, and the grid of its values. */
interface AnsweredVariable {
  readonly variable: Variable;
  readonly downscaled: boolean;
  readonly location: Location;
  readonly horizons?: readonly HorizonRange[];
}

/** How the body of an answer is written. */
interface BodyContent<Answered extends AnsweredVariable> {
  /** Writes the fields before those of the variables. */
  writeHead(): void;
  /** The name of the field that has an object for each variable, and of the field there that has its values. */
  readonly names: readonly [string, string];
  readonly variables: readonly Answered[];
  rowsOf(answered: Answered): number;
  /** Writes the rows of a variable from `from` up to, not including, `to`: a name and a value for each. */
  writeRows(answered: Answered, from: number, to: number): void;
}

/**
 * The parts of a body: its first fields, then an object for each variable, by slug, with its unit's label, whether it
 * is downscaled (then also the place of its values), the days of its horizons where it has them, and its values.
 */
export function bodyParts<Answered extends AnsweredVariable>(
  writer: JsonWriter,
  { writeHead, names: [name, valuesName], variables, rowsOf, writeRows }: BodyContent<Answered>,
): JsonPart[] {
  const begin = () => {
    writer.beginObject();
    writeHead();
    writer.name(name);
    writer.beginObject();
  };
  const end = () => {
    writer.endObject();
    writer.endObject();
  };
  const parts = variables.map((answered) => {
    const rows = rowsOf(answered);
    const write = (from: number, to: number) => {
      if (from === 0) beginVariable(writer, answered, valuesName);
      writeRows(answered, from, to);
      if (to === rows) end();
    };
    return { rows, write };
  });
  return [{ rows: 0, write: begin }, ...parts, { rows: 0, write: end }];
}

function beginVariable(
  writer: JsonWriter,
  { variable, downscaled, location, horizons }: AnsweredVariable,
  valuesName: string,
): void {
  writer.name(variable.slug);
  writer.beginObject();
  writer.name('units');
  writer.text(variable.label);
  writer.name('downscaled');
  writer.boolean(downscaled);
  if (downscaled) writeLocation(writer, 'closest_location', location);
  writeHorizons(writer, horizons);
  writer.name(valuesName);
  writer.beginObject();
}
