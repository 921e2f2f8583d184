import { Command } from 'commander';
import { type Places, type Point, wrapLongitude } from '../ensemble/nearest-place.js';
import type { PlaceIndex } from '../ensemble/place-index.js';
import { DataError, OptionError } from '../errors.js';
import { listLocations } from '../service/access/location-file.node.js';
import { openStore } from '../service/source/folder/index.node.js';
import { point } from './option-values.js';
import { storeOption } from './shared-options.js';
import { updateStore } from './update-store.js';

interface CommandOptions {
  store: string;
  points?: Point[];
  grid?: boolean;
  location?: string[];
}

/** `plumecast preload`: makes the legacy history available at points. */
export function preloadCommand(): Command {
  return new Command('preload')
    .description('Pre-load points of the legacy history (/v1/history), which answers only for pre-loaded points.')
    .addOption(storeOption())
    .option('--points <points...>', 'LAT,LON in degrees, snapped to the 0.25 degree grid; may be repeated', pointList)
    .option('--location <ids...>', 'the points of stored locations')
    .option('--grid', 'all points of the 0.25 degree grid that the history covers')
    .addHelpText(
      'after',
      `
Examples:
  $ plumecast preload --store data --points 37.30,-79.84 36.5,-80.5
  $ plumecast preload --store data --points -33.9,151.2 --points -34.6,-58.4
  $ plumecast preload --store data --location north-field south-field
  $ plumecast preload --store data --grid`,
    )
    .action(preload);
}

async function preload(options: CommandOptions, command: Command): Promise<void> {
  const { store, grid, points = [], location = [] } = options;
  if (!grid && points.length + location.length === 0) {
    command.error('error: no points; give --points LAT,LON..., --location ID... or --grid');
  }
  const history = await readHistoryPlaces(store);
  const requested = [...points, ...(await readLocationPoints(store, location)), ...(grid ? pointsOf(history) : [])];
  const places = snapToHistory(requested, history);
  await updateStore(store, async (update) => update.addPreloaded(places));
  process.stdout.write(`Pre-loaded ${places.latitude.length} of the 0.25 degree grid's points.\n`);
}

function pointList(text: string, before: readonly Point[] = []): Point[] {
  return [...before, point(text)];
}

async function readHistoryPlaces(store: string): Promise<PlaceIndex> {
  const opened = await openStore(store);
  const { history } = await opened.snapshot();
  await opened.close();
  if (history !== undefined) return history.data.places;
  throw new DataError({
    source: store,
    problem: 'has no history',
    allowed: 'a store with one: plumecast ingest --store DIR --history FILES...',
  });
}

async function readLocationPoints(store: string, ids: readonly string[]): Promise<Point[]> {
  if (ids.length === 0) return [];
  const locations = new Map((await listLocations(store)).map((location) => [location.id, location]));
  return ids.map((id) => {
    const location = locations.get(id);
    if (location !== undefined) return location;
    throw new OptionError({
      subject: '--location',
      problem: 'is not stored',
      received: id,
      allowed: [...locations.keys()].join(', ') || 'ids made with plumecast location add',
    });
  });
}

function pointsOf({ latitude, longitude }: PlaceIndex): Point[] {
  return Array.from(latitude, (north, place) => ({ latitude: north, longitude: longitude[place] }));
}

/** The step of the grid of legacy history, in parts of a degree. */
const PARTS = 4;

/** The point of the 0.25 degree grid that is nearest to a point, its longitude from -180 on. */
function legacyPoint({ latitude, longitude }: Point): Point {
  // Adding 0 turns -0 into 0.
  return {
    latitude: Math.round(latitude * PARTS) / PARTS + 0,
    longitude: wrapLongitude(Math.round(longitude * PARTS) / PARTS) + 0,
  };
}

/** Snaps points to the 0.25 degree grid, each once. Throws DataError if the history does not cover one. */
function snapToHistory(points: Iterable<Point>, history: PlaceIndex): Places {
  const found = new Map<string, Point>();
  for (const point of points) {
    const snapped = legacyPoint(point);
    if (history.covering(snapped) === undefined) {
      throw new DataError({
        subject: 'history',
        problem: 'does not cover the location',
        received: `${snapped.latitude}, ${snapped.longitude}`,
        allowed: 'points within one grid step of its places',
      });
    }
    found.set(`${snapped.latitude} ${snapped.longitude}`, snapped);
  }
  const all = [...found.values()];
  return {
    latitude: Float64Array.from(all, ({ latitude }) => latitude),
    longitude: Float64Array.from(all, ({ longitude }) => longitude),
  };
}
