import type { Table } from 'apache-arrow';
import { demoTables } from '../../../src/demo/index.js';
import type { ForecastFile, StoreWriter } from '../../../src/service/ingest/index.js';
import type { Axis, Dataset } from '../../../src/service/source/dataset.js';
import type { Elevations } from '../../../src/service/source/folder/coordinate-table.js';
import type { PartDescription, StoreDescription } from '../../../src/service/source/folder/describe-store.node.js';
import type { ForecastHeader } from '../../../src/service/source/folder/manifest.js';
import type { StorePart } from '../../../src/service/source/folder/store-part.js';
import { memoryDataset } from '../../../src/service/source/memory-source.js';
import type { HorizonName } from '../../../src/variable/availability.js';

/** A variable as it was written. */
export interface Recorded {
  readonly units: string;
  readonly axis: Axis;
  readonly latitude: number[];
  readonly longitude: number[];
  readonly values: Float32Array;
}

/** A store writer that remembers what it is given. */
export class RecordingWriter implements StoreWriter {
  header: ForecastHeader | undefined;
  elevation: Elevations | undefined;
  readonly climatologies: [string, string, string][] = [];
  readonly parts = new Map<StorePart, Map<string, Recorded>>();

  readonly kept = new Map<StorePart, readonly string[] | undefined>();
  /** It holds nothing before. */
  readonly before: StoreDescription = {
    parts: new Map(),
    climatologies: [],
    hasElevation: false,
    preloaded: 0,
    issued: [],
  };

  get stored(): StoreDescription {
    const describe = (part: StorePart, variables: Map<string, Recorded>): PartDescription => ({
      revision: part,
      places: [...variables.values()][0].latitude.length,
      variables,
    });
    const parts = new Map([...this.parts].map(([part, variables]) => [part, describe(part, variables)]));
    return { ...this.before, forecast: this.header, parts };
  }

  setForecast(header: ForecastHeader): void {
    this.header = header;
  }

  keep(part: StorePart, slugs?: readonly string[]): void {
    this.kept.set(part, slugs);
  }

  async storedPart(part: StorePart): Promise<Dataset | undefined> {
    return this.parts.has(part) ? this.dataset(part) : undefined;
  }

  async storedBefore(): Promise<undefined> {}

  async storedClimatology(): Promise<undefined> {}

  async storedElevation(): Promise<undefined> {}

  async keepIssued(): Promise<void> {}

  append(part: StorePart, series: Parameters<StoreWriter['write']>[1]): Promise<void> {
    return this.write(part, series);
  }

  async write(
    part: StorePart,
    { slug, units, axis, places, blocks }: Parameters<StoreWriter['write']>[1],
  ): Promise<void> {
    const values: number[] = [];
    for await (const block of blocks) for (const value of block) values.push(value);
    const variables = this.parts.get(part) ?? new Map<string, Recorded>();
    const [latitude, longitude] = [[...places.latitude], [...places.longitude]];
    variables.set(slug, { units, axis, latitude, longitude, values: Float32Array.from(values) });
    this.parts.set(part, variables);
  }

  share(part: StorePart, slug: string, axis: Axis, horizon: StorePart): boolean {
    const recorded = this.parts.get(horizon)?.get(slug);
    if (recorded === undefined) return false;
    const variables = this.parts.get(part) ?? new Map<string, Recorded>();
    this.parts.set(part, variables.set(slug, { ...recorded, axis }));
    return true;
  }

  async setElevation(elevation: Elevations): Promise<void> {
    this.elevation = elevation;
  }

  async setClimatology(of: string, granularity: string, slug: string): Promise<void> {
    this.climatologies.push([of, granularity, slug]);
  }

  /** A variable as it was written to a part. */
  recorded(part: StorePart, slug: string): Recorded {
    const found = this.parts.get(part)?.get(slug);
    if (found === undefined) throw new Error(`no ${slug} was written to ${part}`);
    return found;
  }

  /** What was written as a part, as a dataset. */
  dataset(part: StorePart): Dataset {
    const variables = this.parts.get(part) as Map<string, Recorded>;
    const [{ latitude, longitude }] = variables.values();
    return memoryDataset({
      revision: part,
      latitude: Float64Array.from(latitude),
      longitude: Float64Array.from(longitude),
      variables: Object.fromEntries([...variables].map(([slug, { axis, values }]) => [slug, { ...axis, values }])),
    });
  }
}

/** The first day of forecasts, a Monday. */
export const TODAY = 20_514;

export const LOCATIONS = [
  { latitude: 37.25, longitude: -80 },
  { latitude: 37.25, longitude: -79.75 },
  { latitude: 37.5, longitude: -80 },
];

const SPANS: Record<HorizonName, { days: number; members: number; seed: number }> = {
  'short-term': { days: 15, members: 9, seed: 1 },
  subseasonal: { days: 46, members: 9, seed: 2 },
  seasonal: { days: 80, members: 13, seed: 3 },
};

const madeTables = new Map<string, Record<string, Table>>();

/** The tables of a horizon's variables, each of its own seed: made once for all who ask for the same. */
export function horizonTables(
  horizon: HorizonName,
  options: Parameters<typeof demoTables>[0] = {},
): Record<string, Table> {
  const all = { initDate: TODAY, locations: LOCATIONS, horizon, ...SPANS[horizon], ...options };
  const key = JSON.stringify(all);
  const tables = madeTables.get(key) ?? demoTables(all);
  madeTables.set(key, tables);
  return { ...tables };
}

/** Files of tables by slug. */
export function filesOf(horizon: HorizonName, tables: Record<string, Table>, fine = false): ForecastFile[] {
  return Object.entries(tables).map(([slug, table]) => ({
    horizon,
    fine,
    source: `${horizon}/${slug}`,
    load: () => Promise.resolve(table),
  }));
}
