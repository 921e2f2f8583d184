import { assertKnownKeys } from '../check/option-checks.js';
import type { EnsembleField, RowOrder } from '../core/field.js';
import type { Core } from '../core/load.js';
import { MemberColumn } from '../core/member-column.js';
import { type FloatArray, type FloatType, isFloatArray } from '../core/number-arrays.js';
import { type Axis, indexOf, joinedAxes, rowsOf, StridedColumn } from '../core/strided-column.js';
import { OptionError, unusable } from '../errors.js';
import { dayText, type ModelCalendar, modelCalendar, parseCalendarDate } from '../period/calendar.js';
import { assertVariable, resolveVariable } from '../variable/find-variable.js';
import type { VariableSlug } from '../variable/slug.js';
import type { Variable, WindowRule } from '../variable/variable.js';

/** Daily values of an ensemble in one typed array. NaN is a missing value. */
export interface EnsembleArray<Values extends FloatArray = FloatArray> {
  /** The values, the last dimension fastest. In the core's own memory they are used in place. */
  readonly data: Values;
  /** The size of each dimension. */
  readonly shape: readonly number[];
  /**
   * The names of the dimensions in any order: `time`, one for each day; `member`, without which there is one; and any
   * others, which are places, such as `cell`, or `latitude` and `longitude`.
   */
  readonly dims: readonly string[];
  /** The first day: `YYYY-MM-DD`, or a Date, read in UTC. */
  readonly start: string | Date;
  /** The calendar of the days by its CF name: `noleap`, `360_day`, ... Default: the real one. */
  readonly calendar?: string;
  /** A slug, or a definition of your own; it says how the days of a window are combined. With the option `window`, any name. */
  readonly variable?: VariableSlug | Variable;
  /** The units, which results state. Values are not converted. Default: what the variable has. */
  readonly units?: string;
  /** The names of the members. Default: `member 0` and so on. */
  readonly members?: readonly string[];
}

const KEYS = ['data', 'shape', 'dims', 'start', 'calendar', 'variable', 'units', 'members'];

/** An array whose description was checked. */
export class OpenArray {
  readonly type: FloatType;
  readonly firstDay: number;
  readonly days: number;
  readonly calendar: ModelCalendar | undefined;
  readonly variable: Variable | undefined;
  readonly units: string | undefined;
  readonly members: readonly string[];
  /** The dimensions but for `member`, in the order of the array, as results have them. */
  readonly dims: readonly string[];
  /** The values: where the memory of the core has grown, a new view of them. */
  readonly #data: () => FloatArray;
  readonly #axes: readonly Axis[];
  readonly #memberStride: number;

  /**
   * For the core that computes; `window` is the requested rule, with which a variable may have any name. Throws
   * OptionError.
   */
  constructor({ memory }: Pick<Core, 'memory'>, array: EnsembleArray, window?: WindowRule) {
    assertKnownKeys(array, KEYS, 'array');
    const { data, dims, shape, calendar, start, variable, units } = array;
    const axes = axesOf(array);
    const at = dims.indexOf('member');
    const members = axes[at] ?? { size: 1, stride: 0 };
    const { length, byteOffset } = data;
    this.#axes = axes.filter((_, k) => k !== at);
    this.#memberStride = members.stride;
    this.dims = dims.filter((_, k) => k !== at);
    this.days = shape[dims.indexOf('time')];
    const type = data instanceof Float32Array ? 'float32' : 'float64';
    this.type = type;
    this.#data = () => (data.length === length ? data : memory[type](byteOffset, length));
    if (calendar !== undefined && typeof calendar !== 'string') throw unusable('array.calendar', calendar, 'a CF name');
    this.calendar = modelCalendar(calendar);
    this.firstDay = firstDay(start, this.calendar);
    this.members = memberNames(array.members, members.size);
    if (typeof variable !== 'string' && variable !== undefined) assertVariable(variable, 'array.variable');
    this.variable = typeof variable === 'string' ? resolveVariable(variable, [], window).variable : variable;
    if (units !== undefined && typeof units !== 'string') throw unusable('array.units', units, 'a text');
    this.units = units ?? (this.variable?.units || undefined);
  }

  /** The sizes of `dims` where there are so many times. */
  shape(times: number): number[] {
    return this.#axes.map(({ size }, k) => (this.dims[k] === 'time' ? times : size));
  }

  /** The number of fields that the array has: several where time is neither the first nor the last of `dims`. */
  get fields(): number {
    const { before, after } = this.#places();
    return rowsOf(after) === 1 ? 1 : rowsOf(before);
  }

  /** One of the fields: results of all, one after the other, are in the order of `dims`. */
  field(index: number): EnsembleField {
    const { before, time, after } = this.#places();
    const isByDay = rowsOf(after) > 1;
    const axes = isByDay ? [time, ...after] : this.#axes;
    const order = isByDay ? 'cell-fastest' : 'day-fastest';
    return this.#field(isByDay ? indexOf(index, before) : 0, axes, order);
  }

  /** The dimensions of places in the order of the array, with their sizes. */
  get places(): readonly { readonly name: string; readonly size: number }[] {
    return this.#axes.flatMap(({ size }, k) => (this.dims[k] === 'time' ? [] : [{ name: this.dims[k], size }]));
  }

  /** The whole array as one field with places in the order of their dimensions' `names`, and the day fastest. */
  series(names: readonly string[]): EnsembleField {
    const axes = [...names, 'time'].map((name) => this.#axes[this.dims.indexOf(name)]);
    return this.#field(0, axes, 'day-fastest');
  }

  #places() {
    const at = this.dims.indexOf('time');
    return { before: this.#axes.slice(0, at), time: this.#axes[at], after: this.#axes.slice(at + 1) };
  }

  #field(first: number, all: readonly Axis[], order: RowOrder): EnsembleField {
    const { type, firstDay, days } = this;
    const axes = joinedAxes(all);
    const rows = rowsOf(axes);
    const isContiguous = axes.every(({ stride }, k) => k === 0 && stride === 1);
    const members = this.members.map((name, m) => {
      const from = first + m * this.#memberStride;
      return isContiguous
        ? new MemberColumn(name, [{ values: this.#data().subarray(from, from + rows) }])
        : new StridedColumn(name, this.#data, from, axes, order === 'cell-fastest' ? days : undefined);
    });
    const place = (member: number, row: number) => ({
      source: `array.data[${first + member * this.#memberStride + indexOf(row, axes)}]`,
    });
    return { type, order, firstDay, days, cells: rows / days, members, place };
  }
}

/** The size and the stride of each dimension. Throws OptionError where they do not fit each other and the values. */
function axesOf({ data, shape, dims }: EnsembleArray): Axis[] {
  if (!isFloatArray(data)) throw unusable('array.data', data, 'a Float32Array or Float64Array');
  const areTexts = Array.isArray(dims) && dims.every((name) => typeof name === 'string');
  // What files call the dimension of members would be places here.
  const isOther = areTexts && dims.some((name) => /^(members|number|realization|ens(emble)?)$/.test(name));
  if (!areTexts || isOther || new Set(dims).size < dims.length || !dims.includes('time')) {
    throw unusable('array.dims', dims, "names that differ: 'time', 'member' and names of places");
  }
  const areSizes = Array.isArray(shape) && shape.every((size) => Number.isSafeInteger(size) && size > 0);
  if (!areSizes || shape.length !== dims.length) {
    throw unusable('array.shape', shape, `a whole number from 1 for each of ${dims.join(', ')}`);
  }
  let stride = 1;
  const axes: Axis[] = [];
  for (let k = dims.length - 1; k >= 0; k--) {
    axes.unshift({ size: shape[k], stride });
    stride *= shape[k];
  }
  if (data.length === stride) return axes;
  throw new OptionError({
    subject: 'array.data',
    problem: 'does not have the values of array.shape',
    received: `${data.length} values`,
    allowed: `${shape.join(' x ')} = ${stride}; of the core's memory a view that was made after it grew`,
  });
}

function firstDay(start: string | Date, calendar: ModelCalendar | undefined): number {
  const text: unknown = dayText(start);
  if (typeof text !== 'string') throw unusable('array.start', start, 'YYYY-MM-DD, or a Date');
  return parseCalendarDate(calendar, text, 'array.start');
}

function memberNames(names: readonly string[] | undefined, count: number): readonly string[] {
  if (names === undefined) return Array.from({ length: count }, (_, m) => `member ${m}`);
  const areNames = Array.isArray(names) && names.every((name) => typeof name === 'string');
  if (areNames && names.length === count) return names;
  throw unusable('array.members', names, `a list of ${count} names, one for each member`);
}
