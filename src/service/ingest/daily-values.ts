import type { WorkOptions } from '../../check/work.js';
import { copyPlaces, findInfinite } from '../../core/copy-places.js';
import { convertField, type EnsembleField, sliceCells } from '../../core/field.js';
import { infiniteValue } from '../../core/infinite-value.js';
import type { FloatType } from '../../core/number-arrays.js';
import { alignEnsembles, leadingPlaces, matchingCells, type NamedPlaces } from '../../ensemble/align-ensembles.js';
import type { Ensemble } from '../../ensemble/ensemble.js';
import type { Places } from '../../ensemble/nearest-place.js';

/** Consecutive cells. */
export interface Cells {
  readonly cell: number;
  readonly cells: number;
}

/** Some days of a series. */
export interface DaySpan {
  /** Counted from the first day. */
  readonly day: number;
  readonly days: number;
}

/** Daily values of one variable, which are read some cells at a time, such as a file of arrays has. */
export interface DailyValues extends Places, Pick<Ensemble, 'variable' | 'metadata' | 'notes'> {
  /** The names of members. */
  readonly members: readonly string[];
  /** Day number of the first day. */
  readonly firstDay: number;
  readonly days: number;
  /** Runs of cells that are best read together, of about `bytes` bytes. */
  blocks(bytes: number): readonly Cells[];
  /**
   * Reads some cells, rows by location, with values of `type`: in the order of `order`, or else in their own. The values
   * are valid until the next read.
   */
  read(cells: Cells, type: FloatType, order?: Int32Array): Promise<EnsembleField>;
  /**
   * Fills an array with some days of some cells, ordered likewise: of each cell a row of days for each member. Where it is
   * not there, `read` is used, which takes longer. Rejects with DataError for an infinite value.
   */
  readPlaces?(
    cells: Cells,
    span: DaySpan,
    into: Float32Array,
    order?: Int32Array,
    options?: Pick<WorkOptions, 'signal'>,
  ): Promise<void>;
  /** Called when they are not read any more. */
  close(): Promise<void>;
}

/** Daily values at places in a certain order, in float32. */
export interface PlacedValues extends Places {
  readonly firstDay: number;
  readonly days: number;
  readonly members: number;
  blocks(bytes: number): readonly Cells[];
  /** Reads some places, rows by location: valid until the next read. */
  read(cells: Cells): Promise<EnsembleField>;
  /**
   * Fills an array with some days of some places, as stores keep them: of each place a row of days for each member. Rejects
   * with DataError for an infinite value.
   */
  readPlaces(cells: Cells, span: DaySpan, into: Float32Array, options?: Pick<WorkOptions, 'signal'>): Promise<void>;
}

/** The values of an ensemble, at the places of `like` where there is one. Throws DataError where it has other places. */
export function placedEnsemble(source: string, ensemble: Ensemble, like?: NamedPlaces): PlacedValues {
  const [{ field: aligned, latitude, longitude, labels }] = alignEnsembles([{ source, ensemble }], like);
  const field = convertField(aligned, 'float32');
  const { firstDay, days, cells } = field;
  const slice = (run: Cells) => (run.cells === cells ? field : sliceCells(field, run.cell, run.cell + run.cells));
  return {
    ...{ firstDay, days, members: field.members.length, latitude, longitude, labels },
    blocks: () => [{ cell: 0, cells }],
    read: async (run) => slice(run),
    readPlaces: async (run, span, into) => fillPlaces(slice(run), span, into),
  };
}

/**
 * Fills an array with some days of a field, rows by location: of each cell a row of days for each member. Throws DataError
 * for an infinite value.
 */
export function fillPlaces(field: EnsembleField, { day, days }: DaySpan, into: Float32Array): void {
  copyPlaces(field, {}, { day, days, at: 0, width: days }, into);
  const at = findInfinite(into);
  if (at < 0) return;
  const row = Math.floor(at / days);
  const [cell, member] = [Math.floor(row / field.members.length), row % field.members.length];
  throw infiniteValue(field, member, cell * field.days + day + (at % days), into[at]);
}

/** Values that are read some cells at a time, likewise; `at` is the place of a single cell without coordinates. */
export function placedValues(source: string, values: DailyValues, like?: NamedPlaces, at?: Places): PlacedValues {
  const { firstDay, days, members } = values;
  const { latitude, longitude, labels } = values;
  const isPlaceless = latitude.length === 1 && Number.isNaN(latitude[0]) && Number.isNaN(longitude[0]);
  const own = { source, latitude, longitude, labels, ...(isPlaceless && at) };
  const first = leadingPlaces(like === undefined ? [own] : [like, own]);
  const order = matchingCells(first, own);
  return {
    ...{
      firstDay,
      days,
      members: members.length,
      latitude: first.latitude,
      longitude: first.longitude,
      labels: first.labels,
    },
    blocks: (bytes) => values.blocks(bytes),
    read: (run) => values.read(run, 'float32', order),
    async readPlaces(run, span, into, options) {
      if (values.readPlaces !== undefined) await values.readPlaces(run, span, into, order, options);
      else fillPlaces(await values.read(run, 'float32', order), span, into);
    },
  };
}
