import { type Data, makeData, RecordBatch, Table } from 'apache-arrow';
import type { Core } from '../core/load.js';
import type { Ensemble, EnsemblePart } from '../ensemble/ensemble.js';
import { onlyCell } from '../ensemble/nearest-cell.js';
import { columnsOfLabels, integers, numbers } from '../table/build/create-table.js';
import { computeColumns } from './compute.js';
import type { CheckedStatisticsOptions } from './options.js';
import type { StatisticsColumns } from './statistics-columns.js';
import { StatisticsPlan } from './statistics-plan.js';
import type { StatisticsRequest } from './statistics-request.js';
import { type WindowedPart, windowedParts } from './windowed-part.js';

/** So many requests are kept for the next place. */
const MAX_REQUESTS = 16;

/** What a request has in common at all cells of a part. */
interface Question {
  readonly windows: WindowedPart['windows'];
  readonly request: StatisticsRequest;
  /** The result at one cell: the others have its schema, and its columns of windows. */
  readonly first: Table;
  /** The columns that differ from cell to cell, by their places in it. */
  readonly places: { readonly latitude: number; readonly members: number };
}

/** Statistics of cells of an ensemble, one at a time: what is the same at all of them is made once for each request. */
export class CellStatistics {
  readonly #ensemble: Ensemble;
  readonly #questions = new Map<string, Question>();

  constructor(ensemble: Ensemble) {
    this.#ensemble = ensemble;
  }

  /** The table that `statisticsTable` gives for a cell of a part. Throws as it does. */
  table(core: Core, part: EnsemblePart, cell: number, options: CheckedStatisticsOptions): Table {
    const one = onlyCell(part, cell);
    const { firstDay, days, type } = one.field;
    const key = JSON.stringify([firstDay, days, type, { ...options, point: undefined }]);
    const known = this.#questions.get(key);
    if (known === undefined) return this.#begin(core, key, one, options);
    const results = computeColumns(core, one.field, known.windows, known.request);
    return tableLike(known, one, results);
  }

  #begin(core: Core, key: string, part: EnsemblePart, options: CheckedStatisticsOptions): Table {
    const ensemble = { ...this.#ensemble, parts: [part] } as const;
    const plan = new StatisticsPlan(ensemble, options);
    const [windowed] = windowedParts(ensemble, options);
    const request = plan.request(windowed);
    const first = plan.table([windowed], [plan.compute(core, windowed)]);
    if (this.#questions.size === MAX_REQUESTS) this.#questions.clear();
    const place = (name: string) => first.schema.names.indexOf(name);
    const places = { latitude: place('latitude'), members: place('n_members') };
    this.#questions.set(key, { windows: windowed.windows, request, first, places });
    return first;
  }
}

/** The table of a cell with other results, in the form of one with the same windows. */
function tableLike({ first, places }: Question, part: EnsemblePart, results: StatisticsColumns): Table {
  const {
    schema,
    batches: [like],
  } = first;
  const { length, mean, members, quantiles, spread, probabilities } = results;
  const degrees = ([value]: Float64Array) => numbers('', new Float64Array(length).fill(value));
  const children: Data[] = [...like.data.children];
  const { latitude, longitude, labels } = part;
  const ofPlace = columnsOfLabels(labels, new Int32Array(length).fill(labels?.of[0] ?? 0));
  [degrees(latitude), degrees(longitude), ...ofPlace].forEach(({ data }, i) => {
    children[places.latitude + i] = data;
  });
  children[places.members] = integers('n_members', members).data;
  // The statistics follow the members.
  [mean, ...quantiles, ...(spread ? [spread] : []), ...probabilities].forEach((values, i) => {
    children[places.members + 1 + i] = numbers('', values).data;
  });
  return new Table(schema, [
    new RecordBatch(schema, makeData({ type: like.data.type, length, nullCount: 0, children })),
  ]);
}
