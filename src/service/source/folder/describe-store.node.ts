import { assertKind } from '../../../check/option-checks.js';
import type { Axis } from '../dataset.js';
import type { ClimatologyEntry, ForecastHeader, Manifest, PartEntry } from './manifest.js';
import { readManifest } from './manifest-file.node.js';
import type { StorePart } from './store-part.js';

/** The contents of a store. */
export interface StoreDescription {
  readonly forecast?: ForecastHeader;
  readonly parts: ReadonlyMap<StorePart, PartDescription>;
  readonly climatologies: readonly Omit<ClimatologyEntry, 'file'>[];
  readonly hasElevation: boolean;
  /** How many points of the 0.25 degree grid are pre-loaded. */
  readonly preloaded: number;
  readonly attribution?: string;
}

/** The contents of a part of a store. */
export interface PartDescription {
  /** Changes when any value changes. */
  readonly revision: string;
  /** The number of places. */
  readonly places: number;
  readonly variables: ReadonlyMap<string, { readonly units: string; readonly axis: Axis }>;
}

/**
 * Describes the store in a folder from its manifest. Rejects with FileError where there is none, FormatError where it
 * is wrong.
 */
export async function describeStore(dir: string): Promise<StoreDescription> {
  assertKind('dir', dir, 'text');
  return describeManifest(await readManifest(dir));
}

/** Describes the store of a manifest. */
export function describeManifest(manifest: Manifest): StoreDescription {
  const { forecast, parts, climatologies, elevation, preloaded, attribution } = manifest;
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
