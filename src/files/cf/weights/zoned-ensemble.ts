import { assertKnownKeys } from '../../../check/option-checks.js';
import { beginWork, WORK_KEYS, type Work } from '../../../check/work.js';
import { assertCore } from '../../../core/assert-core.js';
import type { EnsembleField } from '../../../core/field.js';
import type { Core } from '../../../core/load.js';
import { MemberColumn } from '../../../core/member-column.js';
import { floatArray, valueBytes } from '../../../core/number-arrays.js';
import type { EnsemblePart } from '../../../ensemble/ensemble.js';
import { firstFrom } from '../../../ensemble/first-from.js';
import type { LocalDays } from '../../../ensemble/local-days.js';
import type { Places } from '../../../ensemble/nearest-place.js';
import type { PlaceDays } from '../../../ensemble/place-days.js';
import { idsOf, labelAt } from '../../../ensemble/place-labels.js';
import { DataError, isPlumecastError, mentionOption, OptionError } from '../../../errors.js';
import { DAY_KEYS } from '../../../period/stated-days.js';
import { placeLabels } from '../../../table/rows/label-columns.js';
import type { PlaceList } from '../../places/place-list.js';
import { cellPlaces, valuePlace } from '../cells/cell-places.js';
import { assertBlock, memberStride } from '../days/read-block.js';
import type { Block, GridEnsemble } from '../grid-ensemble.js';
import { planPlaces } from './weighted-ensemble.js';

/** Places that are in a zone, ascending, and the ensemble of all places with the days of this zone. */
interface ZonePart {
  readonly ensemble: GridEnsemble;
  readonly places: Int32Array;
}

/** The column that names the zones of places in results. */
const ZONE = 'time_zone';
/** Bytes that one value takes while it is read, besides the result. */
const WORKING_BYTES = 16;

/**
 * The ensemble of places that are each in a zone of their own: `open` opens the ensemble of all places with days of one
 * zone, once for each zone that there is, and each place has the days of its zone; days that others have are missing.
 * Without `points`, places are those of the file, by its days of UTC. Throws DataError, which names the place, for one
 * without a zone and for a zone that does not exist; OptionError for a grid, a column that is not there, and places
 * without ids.
 */
export async function zonedEnsemble(
  zones: PlaceDays,
  open: (timeZone: string | undefined) => Promise<GridEnsemble>,
  points?: PlaceList,
): Promise<GridEnsemble> {
  const { days, texts } = points === undefined ? daysOfFile(await open(undefined), zones) : daysOf(points, zones);
  const values = [...new Set(days.map(({ zone }) => zone.name))];
  const parts: ZonePart[] = [];
  for (const name of values) {
    const places = Int32Array.from(days.keys()).filter((place) => days[place].zone.name === name);
    parts.push({ ensemble: await open(name), places });
  }
  // A column of zones is among the labels already.
  const added =
    typeof zones.given === 'string' ? undefined : { values, codes: days.map(({ zone }) => values.indexOf(zone.name)) };
  return joinedZones(parts, texts, added);
}

function daysOfFile({ grid, source }: GridEnsemble, zones: PlaceDays): DaysOfPlaces {
  if (grid.kind === 'places') return daysOf({ ...grid, source }, zones);
  throw new OptionError({
    ...{ subject: `${source}, timeZones`, problem: 'are for places, and the cells of a grid have no names' },
    allowed: `points with ids by ${mentionOption('points')}, or one zone by ${mentionOption('timeZone')}`,
  });
}

/** The days of each place, and what metadata state of them. */
interface DaysOfPlaces {
  readonly days: readonly LocalDays[];
  readonly texts: ReadonlyMap<string, string>;
}

function daysOf(
  { labels, latitude, longitude, source }: Places & { readonly source: string },
  zones: PlaceDays,
): DaysOfPlaces {
  const { given } = zones;
  const fail = (problem: string, received: string | undefined, allowed: string) =>
    new OptionError({ subject: `${source}, timeZones`, problem, received, allowed });
  const ids = idsOf(labels);
  const keys = Array.from(latitude, (degrees, place) => ids?.[place] ?? `${degrees}, ${longitude[place]}`);
  if (typeof given !== 'string') {
    if (ids === undefined) throw fail('are by ids, and these places have none', undefined, 'places with ids');
    const days = ids.map((id, place) =>
      daysAt(zones, Object.hasOwn(given, id) ? given[id] : undefined, { source, row: place + 1, id }),
    );
    return { days, texts: zones.textsOfIds(given) };
  }
  const column = labels?.columns.find(({ name }) => name === given);
  if (labels === undefined || column === undefined) {
    const names = labels?.columns.map(({ name }) => name) ?? [];
    throw fail('places have no such column', given, names.length === 0 ? 'a column of zones' : names.join(', '));
  }
  const days = keys.map((id, place) => {
    return daysAt(zones, labelAt(labels, column, place), { source, row: place + 1, column: given, id });
  });
  return { days, texts: zones.texts(new Map(days.map((own, place) => [keys[place], own]))) };
}

function daysAt(
  zones: PlaceDays,
  zone: unknown,
  { id, ...at }: { readonly source: string; readonly row: number; readonly column?: string; readonly id: string },
): LocalDays {
  if (zone === undefined || zone === null) {
    throw new DataError({ ...at, problem: `no zone for ${id}`, received: null, allowed: 'a zone for each place' });
  }
  try {
    return zones.of(zone as string, id);
  } catch (cause) {
    if (!isPlumecastError(cause, 'option')) throw cause;
    const { problem, allowed } = cause;
    throw new DataError({ ...at, problem: `${id}: ${problem}`, received: zone, allowed, cause });
  }
}

/** One ensemble of places that are each read by the days of their zone. */
function joinedZones(
  parts: readonly ZonePart[],
  texts: ReadonlyMap<string, string>,
  zones: ZoneLabels | undefined,
): GridEnsemble {
  const { plan, ...base } = parts[0].ensemble as GridEnsemble & { readonly plan?: unknown };
  const { cells, members, type, grid } = base;
  const firstDay = Math.min(...parts.map(({ ensemble }) => ensemble.firstDay));
  const end = Math.max(...parts.map(({ ensemble }) => ensemble.firstDay + ensemble.days));
  const days = end - firstDay;
  const bytesOfDay = members.length * (WORKING_BYTES + 2 * valueBytes(type));
  const metadata = new Map([...base.metadata].filter(([key]) => !DAY_KEYS.some((one) => one === key)));
  const all = <T>(of: (ensemble: GridEnsemble) => readonly T[]) => [
    ...new Set(parts.flatMap(({ ensemble }) => of(ensemble))),
  ];
  const joined: GridEnsemble = {
    ...base,
    ...(zones !== undefined && { grid: { ...grid, labels: withZones(grid, zones, cells) } }),
    conversions: all(({ conversions }) => conversions),
    warnings: all(({ warnings }) => warnings),
    metadata: new Map([...metadata, ...texts]),
    ...{ firstDay, days },
    blocks: (bytes, cuts) => planPlaces(cells, days, cuts, Math.floor(bytes / 2 / bytesOfDay)),
    async read(block, core, options = {}) {
      assertCore(core);
      assertBlock(block, cells, days);
      const { work, others } = beginWork(options, 'values', members.length * block.cells * block.days);
      assertKnownKeys(others, WORK_KEYS);
      return work.run(() => readZones(joined, parts, block, core, work));
    },
  };
  return joined;
}

/** The zones that there are, and which of them each place has. */
interface ZoneLabels {
  readonly values: readonly string[];
  readonly codes: readonly number[];
}

/** The labels of places with their zones, which replace a column of this name. */
function withZones({ labels }: GridEnsemble['grid'], { values, codes }: ZoneLabels, cells: number) {
  const { columns = [], hasId = false, of = Int32Array.from({ length: cells }, (_, place) => place) } = labels ?? {};
  const kept = columns
    .filter(({ name }) => name !== ZONE)
    .map((column) => ({ ...column, codes: Array.from(of, (place) => column.codes[place] ?? -1) }));
  const own = Int32Array.from(of.keys());
  return placeLabels([...kept, { name: ZONE, isNumber: false, values, codes }], hasId, own);
}

/** Reads a block of places: of each zone the places from its first to its last in the block, on the days that it has. */
async function readZones(
  joined: GridEnsemble,
  parts: readonly ZonePart[],
  block: Block,
  core: Core,
  work: Work,
): Promise<EnsemblePart> {
  const { type, members, firstDay, grid } = joined;
  const length = block.cells * block.days;
  const all = members.map(() => floatArray(type, length).fill(Number.NaN));
  for (const { ensemble, places } of parts) {
    const own = places.subarray(firstFrom(places, block.cell), firstFrom(places, block.cell + block.cells));
    // Counted from the first day of all.
    const start = ensemble.firstDay - firstDay;
    const day = Math.max(block.day, start);
    const days = Math.min(block.day + block.days, start + ensemble.days) - day;
    if (own.length === 0 || days <= 0) continue;
    const cell = own[0];
    const some = { cell, cells: own[own.length - 1] + 1 - cell, day: day - start, days };
    const mark = core.memory.mark();
    try {
      const { field } = await ensemble.read(some, core, { signal: work.signal });
      const isByDay = field.order === 'cell-fastest';
      const read = floatArray(type, some.cells * days);
      for (const [m, member] of field.members.entries()) {
        member.copyTo(read, 0, 0, read.length);
        for (const place of own) {
          const from = place - cell;
          const to = place - block.cell;
          for (let d = 0; d < days; d++) {
            all[m][(day - block.day + d) * block.cells + to] = read[isByDay ? d * some.cells + from : from * days + d];
          }
        }
      }
    } finally {
      core.memory.release(mark);
    }
  }
  const stride = memberStride(length * valueBytes(type));
  const address = core.memory.allocate(members.length * stride);
  const view = (m: number) => core.memory[type](address + m * stride, length);
  for (const m of members.keys()) view(m).set(all[m]);
  work.advance(members.length * length);
  const field: EnsembleField = {
    ...{ type, order: 'cell-fastest', firstDay: firstDay + block.day, days: block.days, cells: block.cells },
    members: members.map((name, m) => new MemberColumn(name, [{ values: view(m) }])),
    place(member, row) {
      const [cell, day] = [row % block.cells, Math.floor(row / block.cells)];
      const own = cellPlaces(grid, block.cell, block.cells);
      const at = valuePlace(
        parts[0].ensemble,
        members[member],
        firstDay + block.day + day,
        own.latitude[cell],
        own.longitude[cell],
      );
      const ids = idsOf(own.labels);
      return ids === undefined ? at : { ...at, column: `${at.column}, ${ids[cell]}` };
    },
  };
  return { field, ...cellPlaces(grid, block.cell, block.cells) };
}
