import type { HorizonName } from '../../../variable/availability.js';
import { openKeeper } from '../../store/open-keeper.node.js';
import type { StorePlace } from '../../store/store-access.js';
import type { Axis } from '../dataset.js';
import { readState } from './generations.node.js';
import type { ClimatologyEntry, ForecastHeader, Manifest, PartEntry } from './manifest.js';
import type { StorePart } from './store-part.js';

/** The contents of a store. */
export interface StoreDescription {
  /** The name of its generation; undefined of a store without anything. */
  readonly generation?: string;
  readonly forecast?: ForecastHeader;
  readonly parts: ReadonlyMap<StorePart, PartDescription>;
  readonly climatologies: readonly Pick<ClimatologyEntry, 'of' | 'granularity' | 'slug'>[];
  readonly hasElevation: boolean;
  /** How many points of the 0.25 degree grid are pre-loaded. */
  readonly preloaded: number;
  readonly attribution?: string;
  /** The runs that are kept as they were issued, the oldest first. */
  readonly issued: readonly { readonly horizon: HorizonName; readonly initTime: string }[];
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
 * Describes a store from its manifest. Rejects with FileError where there is none, FormatError where it
 * is wrong.
 */
export async function describeStore(store: StorePlace): Promise<StoreDescription> {
  return describeManifest((await readState(openKeeper(store))).manifest);
}

/** Describes the store of a manifest. */
export function describeManifest(manifest: Manifest): StoreDescription {
  const { generation, forecast, parts, climatologies, elevation, preloaded, attribution, issued } = manifest;
  return {
    generation,
    forecast,
    parts: new Map([...parts].map(([part, entry]) => [part, partDescription(entry)])),
    climatologies: climatologies.map(({ of, granularity, slug }) => ({ of, granularity, slug })),
    hasElevation: elevation !== undefined,
    preloaded: preloaded?.count ?? 0,
    attribution,
    issued: issued.map(({ horizon, initTime }) => ({ horizon, initTime })),
  };
}

function partDescription({ revision, places, variables }: PartEntry): PartDescription {
  const described = [...variables].map(([slug, { units, axis }]) => [slug, { units, axis }] as const);
  return { revision, places: places.count, variables: new Map(described) };
}
