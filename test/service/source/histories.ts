import { type Dataset, memoryDataset, type PlaceIndex } from '../../../src/service/source/index.js';

/** A history of precipitation from a day on, at one place, or at several with as many values each. */
export function history(
  firstDay: number,
  values: readonly (number | null)[],
  places: readonly number[] = [50],
): Dataset {
  return memoryDataset({
    revision: '1',
    latitude: Float64Array.from(places),
    longitude: new Float64Array(places.length).fill(5),
    variables: {
      precipitation: {
        firstDay,
        days: values.length / places.length,
        members: 1,
        values: Float32Array.from(values, (value) => value ?? Number.NaN),
      },
    },
  });
}

/** The values of a variable at a cell. */
export async function readValues(data: Dataset, cell = 0, slug = 'precipitation'): Promise<number[]> {
  const { days, members } = data.variables.get(slug)!;
  const values = new Float32Array(members * days).fill(-999);
  await data.read(slug, cell, values);
  return [...values];
}

/** A dataset whose reads are counted, and end later, or fail where there is a `fault`. */
export class LateDataset implements Dataset {
  reads = 0;
  fault: Error | undefined;
  revision: string;
  readonly places: PlaceIndex;
  readonly variables: Dataset['variables'];

  constructor(private readonly data: Dataset) {
    this.revision = data.revision;
    this.places = data.places;
    this.variables = data.variables;
  }

  async read(slug: string, cell: number, into: Float32Array<ArrayBuffer>): Promise<void> {
    this.reads++;
    // Values are there before the read has ended: who gives the array to another read in between loses them.
    await this.data.read(slug, cell, into);
    await new Promise((done) => setTimeout(done, 1));
    if (this.fault !== undefined) throw this.fault;
  }
}
