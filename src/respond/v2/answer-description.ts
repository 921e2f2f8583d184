import type { FloatArray } from '../../core/number-arrays.js';
import type { Granularity, WindowTable } from '../../period/period.js';
import type { Statistic } from '../../statistics/statistic.js';
import { HORIZONS } from '../../variable/availability.js';
import type { Variable } from '../../variable/variable.js';
import type { DayRange, EnsembleRange, ForecastAnswer, HorizonRange, Location } from '../answer-data.js';
import type { JsonWriter } from '../json-writer.js';
import { ATTRIBUTION, DATE, INIT_TIME, LOCATION, type Schema, SLUGS, writeLocation } from '../shared-fields.js';

/*
 * What an answer of `/v2` is, said once. From a description follow its JSON, its tables, its schema, how long it is, and
 * what of it can be prepared for all points. Descriptions are keyed by the fields of the data in answer-data.ts, so the
 * compiler names a field that is not described.
 */

/**
 * What a field is to bodies that are prepared for all points: `constant`, the same at all of them, `of-point`, written
 * anew for each, or `unprepared`: an answer that has it is written in the usual way.
 */
export type FieldRole = 'constant' | 'of-point' | 'unprepared';

interface Field {
  readonly name: string;
  readonly role: FieldRole;
  readonly schema: Schema;
  /** Whether only some answers have it. Default false. */
  readonly isOptional?: boolean;
}

/**
 * A field before the variables: a text, which is metadata of tables, too, the days of the answer, a place, or plain data,
 * which are metadata of tables as JSON.
 */
export type HeadField = Field & {
  /** The name of an object that it is in, together with the fields beside it that name the same. */
  readonly within?: string;
} & (
    | { readonly as: 'text' | 'period' | 'plain'; readonly role: Exclude<FieldRole, 'of-point'> }
    | { readonly as: 'location'; readonly role: FieldRole }
  );

/** A field before the variables that follows from them: a text, which is metadata of tables, too, or a list of texts. */
export interface VariablesField<One> extends Field {
  value(variables: readonly One[]): string | readonly string[] | undefined;
}

/** A field of a variable, before its values. */
interface VariableField<One> extends Field {
  /** Writes its name and value; nothing where it is optional and absent. */
  write(writer: JsonWriter, one: One): void;
}

/** Numbers of a variable, one for each row. */
export interface ValueColumn {
  /** Of the field in JSON, and of the column in tables. */
  readonly name: string;
  readonly values: FloatArray | Int32Array;
  /** JSON is rounded to so many; tables are not. */
  readonly decimals: number;
  /** What the values are, which tables state. Default: nothing is stated. */
  readonly statistic?: Statistic;
}

/** What makes columns of a field of the data. */
export interface ValueField<Answer, One> {
  readonly role: FieldRole;
  /** The part of the schema of a row that it has; undefined for columns that only tables have. */
  readonly schema: Schema | undefined;
  /** Its columns for a variable; without one those of an answer that has no variables, and no rows. */
  columns(answer: Answer, one?: One): readonly ValueColumn[];
}

/** What the rows of a variable are: windows, or days. */
type Rows =
  | { readonly windows: Pick<WindowTable, 'start'> }
  | { readonly firstDay: number; readonly days: number; readonly windows?: undefined };

/** A variable of an answer, and its place. */
export type DescribedVariable = Rows & {
  readonly variable: Variable;
  readonly location: Location;
  readonly downscaled: boolean;
  readonly horizons?: readonly HorizonRange[];
  readonly ensembles?: readonly EnsembleRange[];
};

/** An answer that can be described. */
export interface DescribedAnswer {
  /** Where the rows are windows. */
  readonly granularity?: Granularity;
  readonly variables: readonly DescribedVariable[];
}

/** An answer with all that its tables contain. */
export interface TableAnswer extends DescribedAnswer {
  readonly variables: readonly (DescribedVariable &
    ({ readonly windows: WindowTable } | { readonly windows?: undefined }))[];
}

/** One variable of an answer. */
export type OneOf<Answer extends DescribedAnswer> = Answer['variables'][number];

/** The fields before the variables, in the order of the JSON, by the fields of the data. */
export type HeadFields<Answer extends DescribedAnswer> = {
  readonly [Name in Exclude<keyof Answer, 'variables'>]-?: HeadField | 'in values';
} & { readonly variables: readonly VariablesField<OneOf<Answer>>[] };

/** The fields of a variable in the order of the JSON, by the fields of the data. */
export type VariableFields<One> = { readonly [Name in keyof One]-?: VariableField<One> | 'in values' };

/** The description of an answer. */
export interface AnswerDescription<Answer extends DescribedAnswer> {
  readonly description: string;
  readonly example: object;
  readonly head: HeadFields<Answer>;
  /** The name of an object that has the head. Default: the body has it. */
  readonly headName?: string;
  /** The name of the object that has the variables, and of the one in each of them that has its rows. */
  readonly variablesName: string;
  readonly rowsName: string;
  readonly variable: VariableFields<OneOf<Answer>>;
  /** The schema of the rows' object, without its values. */
  readonly rowsSchema: Schema;
  /** What a row is: a window with fields by name, a window with one number, or a day with a list. */
  readonly row: 'fields' | 'number' | 'list';
  /** The schema of a row besides what its values add. */
  readonly rowSchema: Schema;
  readonly values: Readonly<Record<string, ValueField<Answer, OneOf<Answer>>>>;
}

/** The rows of a variable. */
export function rowCount(one: DescribedVariable): number {
  return one.windows === undefined ? one.days : one.windows.start.length;
}

/** The ensemble of a day, or of the window that it is in. */
export function ensembleOn(ensembles: readonly EnsembleRange[], day: number): EnsembleRange | undefined {
  return ensembles.find(({ firstDay, lastDay }) => day >= firstDay && day <= lastDay);
}

/** The columns that the JSON of a variable has, in its order. */
export function jsonColumns<Answer extends DescribedAnswer>(
  { values }: AnswerDescription<Answer>,
  answer: Answer,
  one: OneOf<Answer>,
): ValueColumn[] {
  const all: ValueColumn[] = [];
  for (const name in values) {
    const field = values[name];
    if (field.schema !== undefined) for (const column of field.columns(answer, one)) all.push(column);
  }
  return all;
}

/** Visits the fields before the variables that an answer has, in the order of the JSON, each with its value. */
export function visitHead<Answer extends DescribedAnswer>(
  head: HeadFields<Answer>,
  answer: Answer,
  visit: (field: HeadField | VariablesField<OneOf<Answer>>, value: unknown) => void,
): void {
  const fields: Readonly<Record<string, HeadField | 'in values' | readonly VariablesField<OneOf<Answer>>[]>> = head;
  for (const name in fields) {
    const field = fields[name];
    if (field === 'in values') continue;
    if ('as' in field) {
      const value = answer[name as keyof Answer];
      if (!field.isOptional || value !== undefined) visit(field, value);
    } else {
      for (const one of field) {
        const value = one.value(answer.variables);
        if (!one.isOptional || value !== undefined) visit(one, value);
      }
    }
  }
}

/* Fields that several answers of `/v2` have. */

export const PERIOD_KEYS: Schema = {
  type: 'object',
  propertyNames: {
    type: 'string',
    pattern: '^\\d{4}-(\\d{2}-\\d{2}|W\\d{2}|\\d{2})$',
    description: 'YYYY-MM-DD, ISO week YYYY-Www, or YYYY-MM.',
  },
};

export const PERIOD: HeadField = {
  ...{ name: 'period', as: 'period', role: 'constant' },
  schema: {
    type: ['object', 'null'],
    description: 'The days in the response, both inclusive; null where there are none.',
    required: ['start_date', 'end_date'],
    properties: { start_date: DATE, end_date: DATE },
  },
};

export const CREDIT: HeadField = {
  ...{ name: 'attribution', as: 'text', role: 'constant', isOptional: true },
  schema: ATTRIBUTION,
};

const SHORTAGE: Schema = {
  type: 'object',
  required: ['received', 'expected'],
  properties: { received: { type: 'integer', minimum: 0 }, expected: { type: 'integer', minimum: 0 } },
};

export const PRECISION: HeadField = {
  ...{ name: 'precision', as: 'plain', role: 'constant', isOptional: true },
  schema: {
    type: 'object',
    description:
      'By variable, the multiples to which its values were rounded where they were stored, in its unit: each value is within half of it. Beyond the specification, only where some were rounded.',
    additionalProperties: { type: 'number', exclusiveMinimum: 0 },
  },
};

/** The first fields of every forecast. */
export const FORECAST_HEAD: { readonly [Name in Exclude<keyof ForecastAnswer, 'attribution'>]-?: HeadField } = {
  initTime: { name: 'init_time', as: 'text', role: 'constant', schema: INIT_TIME },
  version: {
    ...{ name: 'version', as: 'text', role: 'constant' },
    schema: { type: 'string', description: 'Of the model or dataset.' },
  },
  generation: {
    ...{ name: 'generation', as: 'text', role: 'constant' },
    schema: { type: 'string', description: 'Unique to the forecast; opaque.' },
  },
  requested: {
    ...{ name: 'requested', within: 'location', as: 'location', role: 'of-point' },
    schema: { ...LOCATION, description: 'The requested coordinates.' },
  },
  closest: {
    ...{ name: 'closest_location', within: 'location', as: 'location', role: 'of-point' },
    schema: { ...LOCATION, description: 'The point of the coarse grid.' },
  },
  period: PERIOD,
  incomplete: {
    ...{ name: 'incomplete', as: 'plain', role: 'constant', isOptional: true },
    schema: {
      type: 'array',
      description:
        'What the runs of horizons lack, compared with the last complete ones, as the header `Forecast-Incomplete` says; beyond the specification, only where something is lacking.',
      minItems: 1,
      items: {
        type: 'object',
        required: ['horizon'],
        properties: {
          horizon: { type: 'string', enum: HORIZONS },
          members: SHORTAGE,
          days: SHORTAGE,
          variables: { ...SLUGS, description: 'The variables that the run does not have.' },
          fine: { type: 'boolean', description: 'Whether the run has no 1 km data yet.' },
        },
      },
    },
  },
  precision: PRECISION,
};

type SharedFields<Name extends keyof DescribedVariable> = {
  readonly [Each in Name]-?: VariableField<DescribedVariable>;
};

/** The first fields of every variable. */
export const PLACED_VARIABLE: SharedFields<'variable' | 'downscaled' | 'location'> = {
  variable: {
    ...{ name: 'units', role: 'constant' },
    schema: { type: 'string', description: 'The label of the unit.' },
    write(writer, { variable }) {
      writer.name('units');
      writer.text(variable.label);
    },
  },
  downscaled: {
    ...{ name: 'downscaled', role: 'constant' },
    schema: { type: 'boolean', description: 'Whether the values are those of the 1 km grid.' },
    write(writer, { downscaled }) {
      writer.name('downscaled');
      writer.boolean(downscaled);
    },
  },
  location: {
    ...{ name: 'closest_location', role: 'of-point', isOptional: true },
    schema: { ...LOCATION, description: 'The point of the 1 km grid; only where downscaled.' },
    write(writer, { downscaled, location }) {
      if (downscaled) writeLocation(writer, 'closest_location', location);
    },
  },
};

/** What an ensemble is called that is of no single horizon. */
export const BLENDED = 'blended';

/** The first fields of every variable of a forecast. */
export const FORECAST_VARIABLE: SharedFields<'variable' | 'downscaled' | 'location' | 'horizons' | 'ensembles'> = {
  ...PLACED_VARIABLE,
  horizons: {
    ...{ name: 'horizons', role: 'constant', isOptional: true },
    schema: {
      type: 'array',
      description: 'The days of each horizon, from the shortest; with `horizons`, where the data have them.',
      items: {
        type: 'object',
        required: ['horizon', 'start_date', 'end_date'],
        properties: {
          horizon: { type: 'string', enum: HORIZONS },
          start_date: { ...DATE, description: 'The first day on which members may come from the horizon.' },
          end_date: { ...DATE, description: 'The last day on which members may come from the horizon.' },
        },
      },
    },
    write(writer, { horizons }) {
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
    },
  },
  ensembles: {
    ...{ name: 'ensembles', role: 'constant', isOptional: true },
    schema: {
      type: 'array',
      description:
        'The ensembles that the values are of, in order of time; with `members=all`. Each belongs to the windows or days from its first to its last day.',
      items: {
        type: 'object',
        required: ['horizon', 'members', 'start_date', 'end_date'],
        properties: {
          horizon: {
            type: 'string',
            enum: [...HORIZONS, BLENDED],
            description: 'The horizon whose members they are; `blended` where members of several are joined.',
          },
          members: { type: 'integer', minimum: 1, description: 'How many members there are.' },
          distinct_members: {
            type: 'integer',
            minimum: 1,
            description: 'How many different ones these are; only where members of a small horizon are repeated.',
          },
          start_date: DATE,
          end_date: DATE,
        },
      },
    },
    write(writer, { ensembles }) {
      if (ensembles === undefined) return;
      writer.name('ensembles');
      writer.beginArray();
      for (const range of ensembles) {
        writer.beginObject();
        writer.name('horizon');
        writer.text(range.horizon ?? BLENDED);
        writer.name('members');
        writer.number(range.members, 0);
        if (range.distinctMembers !== undefined) {
          writer.name('distinct_members');
          writer.number(range.distinctMembers, 0);
        }
        writeDays(writer, range);
        writer.endObject();
      }
      writer.endArray();
    },
  },
};

/** The fields `start_date` and `end_date`. */
export function writeDays(writer: JsonWriter, { firstDay, lastDay }: DayRange): void {
  writer.name('start_date');
  writer.period('daily', firstDay);
  writer.name('end_date');
  writer.period('daily', lastDay);
}
