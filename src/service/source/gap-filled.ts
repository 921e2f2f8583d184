import { assertShapes } from '../../check/option-checks.js';
import type { PlaceIndex } from '../../ensemble/place-index.js';
import { OptionError } from '../../errors.js';
import { type Axis, assertDataset, coarsestPrecision, type Dataset, type Origin } from './dataset.js';

/** A history, and the name that marks its days: `era5`, `analysis`, ... */
export interface NamedHistory {
  readonly name: string;
  /** With one member. */
  readonly data: Dataset;
}

/**
 * Joins several histories to one: each day has the value of the first source that has one, NaN where no source has any.
 *
 * The places are those of the first source. Each other source gives the values of its place that covers them, and none
 * where it has no such place. A variable has the days from the first to the last of any source that has it; these days
 * are computed here, once. A source is read only where those before it have gaps in its days. Where it cannot be read
 * then, the read fails: a fault never becomes a missing day. Reads return at once where the sources' reads do.
 *
 * Throws OptionError for an empty list, for names that are empty or occur twice, and for variables with several
 * members.
 */
export function gapFilled(sources: readonly NamedHistory[]): Dataset {
  checkSources(sources);
  return new GapFilled(sources);
}

class GapFilled implements Dataset {
  readonly places: PlaceIndex;
  readonly variables: ReadonlyMap<string, JoinedAxis>;
  readonly #sources: readonly NamedHistory[];
  /** Which cell of each source covers a cell. */
  readonly #cells: readonly MatchedCells[];
  /** A buffer for a source's values before gaps are filled from them; undefined while a read uses it. */
  #spare: Float32Array<ArrayBuffer> | undefined;

  constructor(sources: readonly NamedHistory[]) {
    const datasets = sources.map(({ data }) => data);
    this.places = datasets[0].places;
    this.variables = joinAxes(datasets);
    this.#sources = [...sources];
    this.#cells = datasets.map(({ places }) => new MatchedCells(this.places, places));
  }

  get revision(): string {
    return this.#sources.map(({ name, data }) => `${name}=${data.revision}`).join('+');
  }

  read(slug: string, cell: number, into: Float32Array<ArrayBuffer>): void | Promise<void> {
    into.fill(Number.NaN);
    return this.#fill(slug, cell, { values: into });
  }

  origins(slug: string, cell: number): readonly Origin[] | Promise<readonly Origin[]> {
    const { firstDay, days } = this.variables.get(slug) as JoinedAxis;
    const filled = { values: new Float32Array(days).fill(Number.NaN), sources: new Uint8Array(days) };
    const runs = () => this.#runs(filled.sources, firstDay);
    const filling = this.#fill(slug, cell, filled);
    return filling === undefined ? runs() : filling.then(runs);
  }

  /** Fills the days that are NaN, in order, from the sources that have the variable; `from` is an index of these. */
  #fill(slug: string, cell: number, filled: FilledDays, from = 0): void | Promise<void> {
    const { sources } = this.variables.get(slug) as JoinedAxis;
    for (let i = from; i < sources.length; i++) {
      const { source, at, days } = sources[i];
      const sourceCell = this.#cells[source].of(cell);
      if (sourceCell === undefined || !hasGaps(filled.values, at, days)) continue;
      const spare = this.#takeSpare(days);
      const values = spare.subarray(0, days);
      const fill = () => {
        fillGaps(filled, at, values, source);
        this.#spare = spare;
      };
      const reading = this.#sources[source].data.read(slug, sourceCell, values);
      if (reading !== undefined) {
        return reading.then(fill).then(() => this.#fill(slug, cell, filled, i + 1));
      }
      fill();
    }
  }

  #takeSpare(days: number): Float32Array<ArrayBuffer> {
    const spare = this.#spare;
    this.#spare = undefined;
    return spare !== undefined && spare.length >= days ? spare : new Float32Array(days);
  }

  /** Consecutive days of the same source. */
  #runs(sources: Uint8Array, firstDay: number): Origin[] {
    const runs: Origin[] = [];
    for (let start = 0, end = 0; start < sources.length; start = end) {
      while (end < sources.length && sources[end] === sources[start]) end++;
      if (sources[start] === NO_SOURCE) continue;
      const { name } = this.#sources[sources[start] - 1];
      runs.push({ name, firstDay: firstDay + start, lastDay: firstDay + end - 1 });
    }
    return runs;
  }
}

const NO_SOURCE = 0;

/** The days of a read while they are filled. */
interface FilledDays {
  /** NaN where no source has given a value yet. */
  readonly values: Float32Array<ArrayBuffer>;
  /** The source of each value, counted from 1; only where requested. */
  readonly sources?: Uint8Array;
}

function hasGaps(values: Float32Array, at: number, days: number): boolean {
  for (let day = at; day < at + days; day++) if (Number.isNaN(values[day])) return true;
  return false;
}

/** Fills the days from `at` on that are NaN with a source's values. */
function fillGaps({ values, sources }: FilledDays, at: number, from: Float32Array, source: number): void {
  for (let day = 0; day < from.length; day++) {
    if (!Number.isNaN(values[at + day])) continue;
    values[at + day] = from[day];
    if (sources !== undefined && !Number.isNaN(from[day])) sources[at + day] = source + 1;
  }
}

function checkSources(sources: readonly NamedHistory[]): void {
  assertShapes('sources', sources, { name: 'any text', data: 'object' });
  for (const [index, { data }] of sources.entries()) assertDataset(`sources[${index}].data`, data);
  const allowed = 'histories, each with its own name, the preferred one first';
  if (sources.length === 0 || sources.length > 255) {
    throw new OptionError({
      subject: 'sources',
      problem: sources.length === 0 ? 'is empty' : 'has too many histories',
      received: sources.length,
      allowed: `1 to 255 ${allowed}`,
    });
  }
  const names = new Set<string>();
  for (const { name } of sources) {
    if (name === '' || names.has(name)) {
      const problem = name === '' ? 'one has no name' : 'two have the same name';
      throw new OptionError({ subject: 'sources', problem, received: name, allowed });
    }
    names.add(name);
  }
}

/** The days of a history from one of its sources. */
interface SourceDays {
  /** The source's index. */
  readonly source: number;
  /** The index of its first day among the joined days. */
  readonly at: number;
  readonly days: number;
}

/** The days from the first to the last of several sources. */
interface JoinedAxis extends Axis {
  /** The sources that have the variable, in order. */
  readonly sources: readonly SourceDays[];
}

/**
 * Joins the days of every variable that any of the datasets has. Throws OptionError for a variable with several
 * members.
 */
function joinAxes(datasets: readonly Dataset[]): ReadonlyMap<string, JoinedAxis> {
  const slugs = new Set(datasets.flatMap(({ variables }) => [...variables.keys()]));
  return new Map(Array.from(slugs, (slug) => [slug, joinAxis(slug, datasets)]));
}

function joinAxis(slug: string, datasets: readonly Dataset[]): JoinedAxis {
  const axes = datasets.flatMap(({ variables }, source) => {
    const axis = variables.get(slug);
    return axis === undefined ? [] : { ...axis, source };
  });
  for (const { members } of axes) assertSingleMember(slug, members);
  const firstDay = Math.min(...axes.map((axis) => axis.firstDay));
  const end = Math.max(...axes.map((axis) => axis.firstDay + axis.days));
  const sources = axes.map(({ source, days, ...axis }) => ({ source, at: axis.firstDay - firstDay, days }));
  return { firstDay, days: end - firstDay, members: 1, precision: coarsestPrecision(axes), sources };
}

function assertSingleMember(slug: string, received: number): void {
  if (received === 1) return;
  const allowed = 'one value a day: a history, not an ensemble';
  throw new OptionError({ subject: slug, problem: 'has several members', received, allowed });
}

const UNKNOWN = -2;
const ABSENT = -1;

/** Finds the cell of other places that covers a cell. Each cell is looked up once; four bytes a cell are kept. */
class MatchedCells {
  readonly #places: PlaceIndex;
  readonly #others: PlaceIndex;
  readonly #found: Int32Array;

  constructor(places: PlaceIndex, others: PlaceIndex) {
    this.#places = places;
    this.#others = others;
    this.#found = new Int32Array(places === others ? 0 : places.latitude.length).fill(UNKNOWN);
  }

  /** The cell among the other places; undefined where none covers this one. */
  of(cell: number): number | undefined {
    if (this.#places === this.#others) return cell;
    if (this.#found[cell] === UNKNOWN) this.#found[cell] = this.#lookUp(cell);
    return this.#found[cell] === ABSENT ? undefined : this.#found[cell];
  }

  #lookUp(cell: number): number {
    const { latitude, longitude } = this.#places;
    return this.#others.covering({ latitude: latitude[cell], longitude: longitude[cell] }) ?? ABSENT;
  }
}
