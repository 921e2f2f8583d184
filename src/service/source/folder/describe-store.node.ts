import { assertKind } from '../../../check/assert-shape.js';
import type { Axis } from '../dataset.js';
import type { ClimatologyEntry, ForecastHeader, PartEntry } from './manifest.js';
import { readManifest } from './manifest-file.node.js';
import type { StorePart } from './store-part.js';

/** What a store has. */
export interface StoreDescription {
  readonly forecast?: ForecastHeader;
  readonly parts: ReadonlyMap<StorePart, PartDescription>;
  readonly climatologies: readonly Omit<ClimatologyEntry, 'file'>[];
  readonly hasElevation: boolean;
  /** How many points of the 0.25 degree grid are pre-loaded. */
  readonly preloaded: number;
  readonly attribution?: string;
}

/** What a part of a store has. */
export interface PartDescription {
  /** Changes when any value does. */
  readonly revision: string;
  /** How many. */
  readonly places: number;
  readonly variables: ReadonlyMap<string, { readonly units: string; readonly axis: Axis }>;
}

/** Tells what the store in a folder has, from its manifest alone. Rejects with FileError where there is none, FormatError where it is wrong. */
export async function describeStore(dir: string): Promise<StoreDescription> {
  assertKind('dir', dir, 'text');
  const { forecast, parts, climatologies, elevation, preloaded, attribution } = await readManifest(dir);
  return {
    forecast,
    parts: new Map([...parts].map(([part, entry]) => [part, partDescription(entry)])),
    climatologies: climatologies.map(({ file: _, ...climatology }) => climatology),
    hasElevation: elevation !== undefined,
    preloaded: preloaded?.count ?? 0,
    attribution,
  };
}

function partDescription({ revision, places, variables }: PartEntry): PartDescription {
  const described = [...variables].map(([slug, { units, axis }]) => [slug, { units, axis }] as const);
  return { revision, places: places.count, variables: new Map(described) };
}
