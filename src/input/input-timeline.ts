import type { Table } from 'apache-arrow';
import { blendInGroups, pairFields, timelineDays } from '../blend/blend-fields.js';
import { assertOnePairing, columnsOfAll, stateAllMembers, withFurtherMembers } from '../blend/further-members.js';
import type { Horizon } from '../blend/horizon.js';
import type { CheckedBlendOptions } from '../blend/options.js';
import { FieldPairer } from '../blend/pairing/field-pairer.js';
import { type PairFieldsOptions, planPairing } from '../blend/pairing/pair-fields.js';
import type { Pairing } from '../blend/pairing/pairing.js';
import type { TimelineGroup } from '../blend/timeline-groups.js';
import { commonVariable, timelineMetadata } from '../blend/timeline-metadata.js';
import type { EnsembleField } from '../core/field.js';
import type { Core } from '../core/load.js';
import { MemberColumn } from '../core/member-column.js';
import { floatArray, valueBytes } from '../core/number-arrays.js';
import type { EnsemblePart } from '../ensemble/ensemble.js';
import { type Places, somePlaces } from '../ensemble/nearest-place.js';
import { isPlumecastError } from '../errors.js';
import { ensembleNetcdf } from '../files/cf/content/ensemble-netcdf.js';
import { tablesOfPart } from '../files/cf/part-tables.js';
import type { NetcdfContent } from '../files/netcdf4/netcdf-content.js';
import { memberName } from '../table/build/wide-table.js';
import { originalNames } from '../table/columns/column-name.js';
import type { Cells, DailyInput } from './daily-input.js';
import type { HorizonSet } from './horizon-set.js';
import type { Report } from './notice.js';
import { TimelineSample } from './timeline-sample.js';
import { DailyValueCheck } from './value-check.js';
import { ValueCoverage } from './value-coverage.js';

const EMPTY_HORIZON = 'has no value: all are missing, and so are the days that it alone covers';

/** The horizons of a timeline, and of the variables that members are paired by, where there are others. */
export interface TimelineInputs {
  readonly own: HorizonSet;
  /** At least one; `own` may be among them. */
  readonly paired: readonly HorizonSet[];
  /** The input whose places, and their order, the timeline has. */
  readonly places: DailyInput;
}

/** Callbacks and settings of a timeline. */
export interface TimelineHooks {
  /** Whether to sample places for a report on seams. */
  readonly sampled: boolean;
  /** Called after each block with the share that is blended, from 0 to 1. */
  readonly progress: (share: number) => void;
  /** About how many bytes of values of files of arrays to hold at a time; 192 MiB by default. */
  readonly bytes?: number;
  /** Whether to add the other members of larger horizons, as `allMembers` does. Default false. */
  readonly allMembers?: boolean;
}

/**
 * The timeline of the horizons of inputs of any format, blended some cells at a time: the values are those of `blend`
 * for their tables, and do not depend on the blocks. It can be written once, as tables or as a NetCDF file.
 */
export class InputTimeline {
  readonly metadata: ReadonlyMap<string, string>;
  readonly firstDay: number;
  readonly days: number;
  readonly cells: number;
  /** The data for a report on seams, complete when everything is written. */
  readonly sample?: TimelineSample;
  readonly #core: Core;
  readonly #inputs: TimelineInputs;
  readonly #options: CheckedBlendOptions;
  readonly #progress: TimelineHooks['progress'];
  readonly #blocks: readonly Cells[];
  readonly #check: DailyValueCheck;
  /** The names of the members' columns, and what adds columns behind the trajectories. */
  readonly #members: readonly string[];
  readonly #further: typeof withFurtherMembers | undefined;
  /** Which values were read of each horizon. */
  readonly #coverage: readonly ValueCoverage[];
  #pairing: Pairing;

  /** Throws DataError if horizons do not follow each other, or have too few members. */
  constructor(core: Core, inputs: TimelineInputs, options: CheckedBlendOptions, hooks: TimelineHooks) {
    const { own, paired, places } = inputs;
    this.#core = core;
    this.#inputs = inputs;
    this.#options = options;
    this.#progress = hooks.progress;
    this.#check = new DailyValueCheck(own.heads.map(({ name }) => name).join(', '));
    this.#coverage = own.heads.map(() => new ValueCoverage());
    this.#pairing = planPairing(paired[0].heads, 1, { ...paired[0].pairOptions, pairBy: slugsOf(paired) });
    this.firstDay = this.#pairing.firstDay;
    this.days = timelineDays(own.heads, this.#pairing);
    this.cells = places.latitude.length;
    const isByCell = options.method === 'cell';
    this.#blocks = planBlocks(isByCell ? [...new Set([own, paired[0]])] : [own], this.cells, hooks.bytes);
    const metadata = timelineMetadata(own.inputs, own.heads, own.inputs[0].members, this.#pairing, this.days);
    this.#members = own.inputs[0].members;
    if (hooks.allMembers) {
      assertOnePairing(options);
      this.#further = withFurtherMembers;
      stateAllMembers(metadata, originalNames(metadata, this.#members), this.#pairing);
      const all = columnsOfAll(this.#pairing);
      this.#members = Array.from({ length: all }, (_, m) => this.#members[m] ?? memberName(m, all));
    }
    this.metadata = metadata;
    if (hooks.sampled) this.sample = new TimelineSample(own, this, places);
  }

  /**
   * How members were paired at the places of the last block, when everything is written; the days are the same
   * everywhere.
   */
  get pairing(): Pairing {
    return this.#pairing;
  }

  /** The names of the horizons. */
  get names(): readonly string[] {
    return this.#inputs.own.heads.map(({ name }) => name);
  }

  /** Reports horizons, members and days without a value, when everything is written. */
  reportCoverage(report: Report): void {
    for (const [h, coverage] of this.#coverage.entries()) {
      const { name, source = name } = this.#inputs.own.heads[h];
      if (coverage.hasValues) coverage.report(report, source);
      else report({ kind: 'warning', source, text: EMPTY_HORIZON });
    }
  }

  /** The timeline as canonical tables: a row for each place and day, a column for each member. */
  async *tables(): AsyncGenerator<Table> {
    for await (const groups of this.#blended()) {
      for (const { cell, field } of groups) yield* tablesOfPart(this.#part(cell, field), this.metadata);
    }
    this.assertValues();
  }

  /** The timeline as the content of a NetCDF file; undefined unless the places are those of a grid. */
  netcdf(): NetcdfContent | undefined {
    const { own, places } = this.#inputs;
    const { firstDay, days, cells, metadata } = this;
    const { type } = own;
    if (places.grid === undefined) return undefined;
    const members = originalNames(metadata, this.#members);
    const ensemble = {
      ...commonVariable(own.inputs),
      metadata,
      type,
      members,
      firstDay,
      days,
      grid: places.grid,
      cells,
    };
    const blended = this.#blended();
    const blocks = this.#blocks.map((block) => ({ ...block, day: 0, days }));
    return ensembleNetcdf(ensemble, blocks, async ({ cell, cells: count }) => {
      const values = members.map(() => floatArray(type, count * days));
      const { value: groups = [] } = await blended.next();
      for (const { cell: first, field } of groups) {
        for (const [m, member] of field.members.entries()) {
          member.copyTo(values[m], (first - cell) * days, 0, member.length);
        }
      }
      const columns = members.map((name, m) => new MemberColumn(name, [{ values: values[m] }]));
      return this.#part(cell, { type, order: 'day-fastest', firstDay, days, cells: count, members: columns });
    });
  }

  /** Throws DataError where all values that were written are missing. */
  assertValues(): void {
    this.#check.end();
  }

  #part(cell: number, field: EnsembleField): EnsemblePart {
    return this.#check.see({ field, ...somePlaces(this.#inputs.places, cell, cell + field.cells) });
  }

  /** The groups of each block, with places counted from the first of the timeline. */
  async *#blended(): AsyncGenerator<Iterable<TimelineGroup>, undefined> {
    const { own, paired } = this.#inputs;
    const shared = await this.#sharedPairing();
    for (const [index, block] of this.#blocks.entries()) {
      let how: Pairing | PairFieldsOptions = shared ?? own.pairOptions;
      if (shared === undefined && paired[0] !== own) {
        how = pairFields(this.#core, await paired[0].read(block), paired[0].pairOptions);
      }
      const horizons = await own.read(block);
      this.sample?.addHorizons(horizons, block);
      for (const [h, horizon] of horizons.entries()) this.#coverage[h].see(horizon, own.inputs[h].members);
      yield this.#groups(horizons, how, block);
      this.#progress((index + 1) / this.#blocks.length);
    }
    return undefined;
  }

  *#groups(horizons: readonly Horizon[], how: Pairing | PairFieldsOptions, block: Cells): Generator<TimelineGroup> {
    const groups = blendInGroups(this.#core, horizons, how, this.#placesOf(block));
    try {
      let next = groups.next();
      for (; !next.done; next = groups.next()) {
        const group = { ...next.value, cell: block.cell + next.value.cell };
        this.sample?.addTimeline(group);
        yield this.#further === undefined
          ? group
          : { ...group, field: this.#further(group.field, next.value.cell, horizons, how as Pairing) };
      }
      this.#pairing = next.value;
    } finally {
      groups.return(this.#pairing);
    }
  }

  #placesOf({ cell, cells }: Cells): Places {
    return somePlaces(this.#inputs.places, cell, cell + cells);
  }

  /** The pairing of the field, for which a sample of places is read first; undefined if each place has its own. */
  async #sharedPairing(): Promise<Pairing | undefined> {
    const { paired, places } = this.#inputs;
    const { method } = this.#options;
    if (method === 'splice' || paired[0].heads.length === 1) return this.#pairing;
    if (method === 'cell') return undefined;
    const day = FieldPairer.comparedDay(this.#pairing);
    const onDay = day === undefined ? undefined : await paired[0].valuesOnDay(day);
    const pairer = new FieldPairer(this.#pairing, places, this.cells, { hasValues: onDay });
    const inOrder = Int32Array.from(pairer.cells.keys());
    for (const set of paired) {
      pairer.add(await set.sample(pairer.cells, (h) => pairer.daysOf(h)), inOrder);
    }
    return pairer.end(this.#core);
  }
}

function slugsOf(sets: readonly HorizonSet[]): string[] {
  return sets.flatMap(({ inputs }) => commonVariable(inputs).variable?.slug ?? []);
}

/** About how many bytes of values of files of arrays are held at a time. */
const BLOCK_BYTES = 201_326_592;
/** The same for files that are stored in pieces too large for that. */
const LARGE_BLOCK_BYTES = 1_073_741_824;

/**
 * Divides `cells` places into blocks whose values, of all horizons together, take about `held` bytes: the blocks that
 * suit the largest file of arrays. All places are one block if there are only tables, which are in memory already.
 */
function planBlocks(sets: readonly HorizonSet[], cells: number, held = BLOCK_BYTES): readonly Cells[] {
  const read = sets.flatMap(({ inputs, orders, type }) =>
    inputs.map((input, h) => ({
      input,
      order: orders[h],
      bytes: input.days * input.members.length * valueBytes(type),
    })),
  );
  const grids = read.filter(({ input }) => input.grid !== undefined);
  const total = grids.reduce((sum, { bytes }) => sum + bytes, 0);
  const [largest] = grids.filter(({ order }) => order === undefined).sort((a, b) => b.bytes - a.bytes);
  if (largest === undefined) return evenBlocks(cells, total === 0 ? cells : Math.floor(held / total));
  const share = largest.bytes / total;
  try {
    return largest.input.blocks(held * share);
  } catch (error) {
    if (!isPlumecastError(error, 'data')) throw error;
    return largest.input.blocks(LARGE_BLOCK_BYTES * share);
  }
}

function evenBlocks(cells: number, most: number): Cells[] {
  const step = Math.max(1, most);
  const count = Math.ceil(cells / step);
  return Array.from({ length: count }, (_, i) => ({ cell: i * step, cells: Math.min(step, cells - i * step) }));
}
