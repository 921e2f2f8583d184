import type { ArrayValues, AttributeValue, Box, StoredArray } from '../../array/array-file.js';
import { checkedBytes, copyBox, notText, rowStrides } from '../../array/copy-box.js';
import type { GribGrid, GridPlaces } from '../grid/grid.js';
import type { Cube } from './cube.js';

/** The names of an array's dimensions, and their lengths. */
export interface CubeDimensions {
  readonly names: readonly string[];
  readonly shape: readonly number[];
}

const SINCE = { units: 'seconds since 1970-01-01 00:00:00', calendar: 'proleptic_gregorian' };

/** Makes the coordinates of cubes. Those that are the same are shared; others have a number behind their name. */
export class Coordinates {
  readonly arrays = new Map<string, StoredArray>();
  readonly #known = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  readonly #places = new Map<GribGrid, readonly string[]>();

  /** The dimensions of a cube; makes the coordinates that are not there yet. */
  dimensionsOf(cube: Cube): CubeDimensions {
    const { runs, members, times, sample } = cube;
    const leading: [string, number][] = [];
    if (runs !== undefined) leading.push([this.#runs(runs), runs.length]);
    if (members.names.length > 1 || sample.product.member !== undefined)
      leading.push([this.#members(cube), members.names.length]);
    leading.push([this.#times(cube), times.ends.length]);
    return {
      names: [...leading.map(([name]) => name), ...this.#grid(sample.grid)],
      shape: [...leading.map(([, length]) => length), ...sample.grid.shape],
    };
  }

  /** Adds the time at which the only run begins. */
  addReference(seconds: number): void {
    this.#add('forecast_reference_time', [], [], { standard_name: 'forecast_reference_time', ...SINCE }, [seconds]);
  }

  #runs(runs: readonly number[]): string {
    const attributes = { standard_name: 'forecast_reference_time', ...SINCE };
    return this.#shared('forecast_reference_time', runs.join(), (name) =>
      this.#add(name, [name], [runs.length], attributes, runs),
    );
  }

  #members({ members: { names, references } }: Cube): string {
    return this.#shared('number', JSON.stringify([names, references]), (name) => {
      const head = { name, dimensions: [name], shape: [names.length], attributes: { standard_name: 'realization' } };
      const areNumbers = names.every((each) => /^(0|[1-9]\d{0,8})$/.test(each));
      const array = areNumbers
        ? numberArray(head, 'int32', () => Int32Array.from(names, Number))
        : textArray(head, names);
      this.arrays.set(name, array);
      if (references === undefined || new Set(references).size === 1) return;
      const attributes = { standard_name: 'forecast_reference_time', ...SINCE };
      this.#add(this.#free(`${name}_reference_time`), [name], [names.length], attributes, references);
    });
  }

  #times({ name: cube, runs, times: { ends, starts }, problem }: Cube): string {
    const isLead = runs !== undefined;
    const key = `${isLead} ${ends.join()} ${starts?.join()} ${problem === undefined ? '' : cube}`;
    return this.#shared(isLead ? 'step' : 'time', key, (name) => {
      const units = isLead ? { units: 'seconds' } : SINCE;
      const bounds = starts && { bounds: `${name}_bounds` };
      const attributes = { standard_name: isLead ? 'forecast_period' : 'time', ...units, ...bounds };
      const values = () => {
        if (problem !== undefined) throw problem;
        return Float64Array.from(ends);
      };
      const head = { name, dimensions: [name], shape: [ends.length], attributes };
      this.arrays.set(name, numberArray(head, 'float64', values));
      if (starts === undefined) return;
      const pairs = ends.flatMap((end, i) => [starts[i], end]);
      this.#add(`${name}_bounds`, [name, 'bounds'], [ends.length, 2], {}, pairs);
    });
  }

  /** The names of the dimensions of a grid. */
  #grid(grid: GribGrid): readonly string[] {
    const known = this.#places.get(grid);
    if (known !== undefined) return known;
    let places: GridPlaces | undefined;
    const compute = () => {
      places ??= grid.places();
      return places;
    };
    const count = this.#count('grid');
    const name = (text: string) => (count === 1 ? text : `${text}_${count}`);
    const [latitude, longitude] = [name('latitude'), name('longitude')];
    const names = dimensionNames(grid).map(name);
    const isRectilinear = names[0] === latitude;
    for (const [each, kind, units] of [
      [latitude, 'latitude', 'degrees_north'],
      [longitude, 'longitude', 'degrees_east'],
    ] as const) {
      const dimensions = isRectilinear ? [each] : names;
      const shape = isRectilinear ? [grid.shape[kind === 'latitude' ? 0 : 1]] : grid.shape;
      const { projection } = grid;
      const attributes = { standard_name: kind, units };
      const head = { name: each, dimensions, shape, attributes, ...(projection !== undefined && { projection }) };
      this.arrays.set(
        each,
        numberArray(head, 'float64', () => compute()[kind]),
      );
    }
    this.#places.set(grid, names);
    return names;
  }

  #add(
    name: string,
    dimensions: readonly string[],
    shape: readonly number[],
    attributes: Readonly<Record<string, AttributeValue>>,
    values: readonly number[],
  ): void {
    this.arrays.set(
      name,
      numberArray({ name, dimensions, shape, attributes }, 'float64', () => Float64Array.from(values)),
    );
  }

  /** The name of a coordinate; one that is not known yet is made. */
  #shared(kind: string, key: string, make: (name: string) => void): string {
    const known = this.#known.get(`${kind} ${key}`);
    if (known !== undefined) return known;
    const name = this.#free(kind);
    this.#known.set(`${kind} ${key}`, name);
    make(name);
    return name;
  }

  #free(name: string): string {
    const count = this.#count(name);
    return count === 1 ? name : `${name}_${count}`;
  }

  #count(name: string): number {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return count;
  }
}

function dimensionNames({ shape, type }: GribGrid): string[] {
  if (shape.length === 1) return ['values'];
  return type === 'regular_ll' || type === 'regular_gg' ? ['latitude', 'longitude'] : ['y', 'x'];
}

/** What an array is, besides its values. */
type ArrayHead = Pick<StoredArray, 'name' | 'dimensions' | 'shape' | 'projection'> & {
  readonly attributes: Readonly<Record<string, AttributeValue>>;
};

/** An array of numbers that are computed when they are first read, as coordinates are. */
function numberArray(head: ArrayHead, type: 'int32' | 'float64', values: () => ArrayValues): StoredArray {
  let known: ArrayValues | undefined;
  const array = { ...head, type, attributes: new Map(Object.entries(head.attributes)) };
  return {
    ...array,
    async read(box: Box, into: ArrayValues) {
      checkedBytes(array, box, into);
      known ??= values();
      const from = { values: known, start: array.shape.map(() => 0), strides: rowStrides(array.shape) };
      copyBox(from, { values: into, start: box.start, strides: rowStrides(box.count) }, box);
      return [];
    },
    readTexts: async () => Promise.reject(notText(array.name)),
  };
}

/** An array of texts. */
function textArray(head: ArrayHead, texts: readonly string[]): StoredArray {
  const array = { ...head, type: 'text' as const, attributes: new Map(Object.entries(head.attributes)) };
  return {
    ...array,
    async read(box: Box, into: ArrayValues) {
      checkedBytes(array, box, into);
      return [];
    },
    readTexts: async () => texts,
  };
}
