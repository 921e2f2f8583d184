import type { Table } from 'apache-arrow';
import { blendInGroups, pairFields, timelineDays } from '../../blend/blend-fields.js';
import type { Horizon } from '../../blend/horizon.js';
import type { CheckedBlendOptions } from '../../blend/options.js';
import { cellWeights, type PairFieldsOptions, planPairing, WholeFieldPairer } from '../../blend/pair-fields.js';
import type { Pairing } from '../../blend/pairing.js';
import type { TimelineGroup } from '../../blend/timeline-groups.js';
import { commonVariable, timelineMetadata } from '../../blend/timeline-metadata.js';
import type { EnsembleField } from '../../core/field.js';
import { floatArray } from '../../core/float-array.js';
import type { Core } from '../../core/load.js';
import { MemberColumn } from '../../core/member-column.js';
import type { EnsemblePart } from '../../ensemble/ensemble.js';
import { ensembleNetcdf } from '../../files/cf/content/ensemble-netcdf.js';
import type { NetcdfContent } from '../../files/netcdf4/netcdf-content.js';
import { originalNames } from '../../table/original-names.js';
import { cellBlocks } from './cell-blocks.js';
import type { Cells, DailyInput } from './daily-input.js';
import type { HorizonSet } from './horizon-set.js';
import { tablesOfPart } from './part-tables.js';
import { TimelineSample } from './timeline-sample.js';

/** The horizons that a timeline is made of, and those of the variable that members are paired by, where that is another. */
export interface TimelineInputs {
  readonly own: HorizonSet;
  readonly paired?: HorizonSet;
  /** The input whose places, in their order, those of all are read in. */
  readonly places: DailyInput;
}

/** What is done beside. */
export interface TimelineHooks {
  /** Whether places are sampled for a report on seams. */
  readonly sampled: boolean;
  /** Told after each block how much was blended, from 0 to 1. */
  readonly progress: (share: number) => void;
  /** Bytes of values of files of arrays that are held at a time, about; 192 MiB by default. */
  readonly bytes?: number;
}

/**
 * The timeline of the horizons of inputs of any format, blended some cells at a time: values are those that `blend` gives of their tables,
 * whatever the blocks. It is written once, as tables or as a NetCDF file.
 */
export class InputTimeline {
  readonly metadata: ReadonlyMap<string, string>;
  readonly firstDay: number;
  readonly days: number;
  readonly cells: number;
  /** What a report on seams is made of, complete when all is written. */
  readonly sample?: TimelineSample;
  readonly #core: Core;
  readonly #inputs: TimelineInputs;
  readonly #options: CheckedBlendOptions;
  readonly #progress: TimelineHooks['progress'];
  readonly #blocks: readonly Cells[];
  #pairing: Pairing;

  /** Throws DataError where horizons do not follow each other, or are too few members. */
  constructor(core: Core, inputs: TimelineInputs, options: CheckedBlendOptions, hooks: TimelineHooks) {
    const { own, paired = own, places } = inputs;
    this.#core = core;
    this.#inputs = inputs;
    this.#options = options;
    this.#progress = hooks.progress;
    this.#pairing = planPairing(paired.heads, 1, paired.pairOptions);
    this.firstDay = this.#pairing.firstDay;
    this.days = timelineDays(own.heads, this.#pairing);
    this.cells = places.latitude.length;
    this.#blocks = cellBlocks(paired === own ? [own] : [own, paired], this.cells, hooks.bytes);
    this.metadata = timelineMetadata(own.inputs, own.heads, own.inputs[0].members, this.#pairing, this.days);
    if (hooks.sampled) this.sample = new TimelineSample(own, this);
  }

  /** How members were joined at the places of the last block, when all is written; on which days is the same everywhere. */
  get pairing(): Pairing {
    return this.#pairing;
  }

  /** What its horizons are called. */
  get names(): readonly string[] {
    return this.#inputs.own.heads.map(({ name }) => name);
  }

  /** As canonical tables: a row for each place and day, a column for each member. */
  async *tables(): AsyncGenerator<Table> {
    for await (const groups of this.#blended()) {
      for (const { cell, field } of groups) yield* tablesOfPart(this.#part(cell, field), this.metadata);
    }
  }

  /** As what a NetCDF file holds, where the places are those of a grid. */
  netcdf(): NetcdfContent | undefined {
    const { own, places } = this.#inputs;
    const { firstDay, days, cells, metadata } = this;
    const { type } = own;
    if (places.grid === undefined) return undefined;
    const members = originalNames(metadata, own.inputs[0].members);
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

  #part(cell: number, field: EnsembleField): EnsemblePart {
    const { latitude, longitude } = this.#inputs.places;
    const end = cell + field.cells;
    return { field, latitude: latitude.subarray(cell, end), longitude: longitude.subarray(cell, end) };
  }

  /** The groups of each block, whose places are counted from the timeline's first. */
  async *#blended(): AsyncGenerator<Iterable<TimelineGroup>, undefined> {
    const { own, paired } = this.#inputs;
    const shared = await this.#sharedPairing();
    for (const [index, block] of this.#blocks.entries()) {
      let how: Pairing | PairFieldsOptions = shared ?? own.pairOptions;
      if (shared === undefined && paired !== undefined) {
        how = pairFields(this.#core, await paired.read(block), paired.pairOptions);
      }
      const horizons = await own.read(block);
      this.sample?.addHorizons(horizons, block);
      yield this.#groups(horizons, how, block);
      this.#progress((index + 1) / this.#blocks.length);
    }
    return undefined;
  }

  *#groups(horizons: readonly Horizon[], how: Pairing | PairFieldsOptions, block: Cells): Generator<TimelineGroup> {
    const groups = blendInGroups(this.#core, horizons, how);
    try {
      let next = groups.next();
      for (; !next.done; next = groups.next()) {
        const group = { ...next.value, cell: block.cell + next.value.cell };
        this.sample?.addTimeline(group);
        yield group;
      }
      this.#pairing = next.value;
    } finally {
      groups.return(this.#pairing);
    }
  }

  /** The pairing of all places, where they share one: for it all blocks are read once more. */
  async #sharedPairing(): Promise<Pairing | undefined> {
    const { own, paired = own, places } = this.#inputs;
    const { method, fieldWide } = this.#options;
    if (method === 'splice') return this.#pairing;
    if (!fieldWide) return undefined;
    const pairer = new WholeFieldPairer(paired.heads, paired.pairOptions);
    const weights = cellWeights(places.latitude);
    for (const block of this.#blocks) {
      pairer.add(await paired.read(block), weights.subarray(block.cell, block.cell + block.cells));
    }
    return pairer.end(this.#core);
  }
}
