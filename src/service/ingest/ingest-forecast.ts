import { blendInGroups, pairFields, timelineDays } from '../../blend/blend-fields.js';
import type { Horizon } from '../../blend/horizon.js';
import type { Pairing } from '../../blend/pairing.js';
import { assertOneOf } from '../../check/option-checks.js';
import { assertCore } from '../../core/assert-core.js';
import type { Core } from '../../core/load.js';
import { OptionError } from '../../errors.js';
import { HORIZONS, type HorizonName } from '../../variable/availability.js';
import type { Variable } from '../../variable/variable.js';
import { axisOf, type Dataset } from '../source/dataset.js';
import type { Series } from '../source/folder/write-series.node.js';
import { assertForecastKept, assertRunKept, runsToKeep } from './assert-kept.js';
import { readFile } from './data-file.js';
import { type CatalogEntry, catalogForecast, type GridFiles } from './forecast-catalog.js';
import type { ForecastInput } from './forecast-input.js';
import { fillMissingHorizons, horizonRanges, seamOptions } from './horizon-seams.js';
import { placeBlocks } from './place-blocks.js';
import { assertInput, assertWriter, type StoreWriter } from './store-writer.js';
import { describeDaysBeyondSpan, describeUnusedDays, selectUsableDays } from './usable-days.js';

/**
 * Writes a forecast to a store: each horizon as it is, without the days before its first complete one, and the blended
 * timeline, with one pairing for all variables. Files are read one variable at a time. A horizon may be missing: the
 * timeline ends where the data end, and a gap stays a gap. Throws DataError for files that do not belong together, or
 * whose values cannot be used, and OptionError for invalid names and times, and where the store would lose more than
 * `input` allows.
 */
export async function ingestForecast(core: Core, writer: StoreWriter, input: ForecastInput): Promise<void> {
  assertCore(core);
  assertWriter(writer, 'setForecast', 'write');
  assertInput(input);
  for (const { horizon } of input.files) assertOneOf('horizon', horizon, HORIZONS);
  const catalog = await catalogForecast(input);
  await assertForecastKept(writer, catalog, input);
  const { header, coarse, fine } = catalog;
  const kept = await runsToKeep(writer, catalog, input);
  writer.setForecast(header);
  await ingestGrid(core, writer, input, coarse, kept);
  if (fine !== undefined) await ingestGrid(core, writer, input, fine);
}

/** Ingests the files of a grid: of the coarse one also its horizons, whose values in `kept` must not be lost. */
async function ingestGrid(
  core: Core,
  writer: StoreWriter,
  input: ForecastInput,
  grid: GridFiles,
  kept?: ReadonlyMap<string, Dataset>,
): Promise<void> {
  const fine = kept === undefined;
  const leading = choosePairingVariable(grid, input, fine);
  const others = [...grid.variables.keys()].filter((slug) => slug !== leading);
  const notices = new Set<string>();
  let pairing: Pairing | undefined;
  for (const slug of [leading, ...others]) {
    const horizons = await readHorizons(slug, grid, input);
    const known = horizons.flatMap((horizon) => horizon ?? []);
    pairing ??= pairFields(core, known, { ...seamOptions(grid.horizons, slug), places: grid.places });
    for (const [h, horizon] of horizons.entries()) {
      const beyond = horizon && describeDaysBeyondSpan(horizon, pairing, pairing.horizons[h]);
      if (beyond !== undefined) notices.add(`${horizon?.name}: ${beyond}`);
    }
    const variable = { slug, units: variableOf(grid, slug).units, places: grid.places };
    for (const { name, field } of fine ? [] : known) {
      await assertRunKept(name, kept?.get(name), { slug, field, places: grid.places });
      await writer.write(name as HorizonName, { ...variable, axis: axisOf(field), blocks: placeBlocks(field) });
    }
    const blended = timelineBlocks(core, horizons, pairing);
    await writer.write(fine ? 'fine-timeline' : 'timeline', { ...variable, ...blended });
  }
  for (const notice of notices) input.onNotice?.(notice);
}

/** Chooses the variable whose ranks join members. Throws OptionError where not every horizon has it. */
function choosePairingVariable(
  { variables, horizons }: GridFiles,
  { pairBy, onNotice }: ForecastInput,
  fine: boolean,
): string {
  const isEverywhere = (slug: string) => variables.get(slug)?.size === horizons.length;
  const shared = [...variables.keys()].filter(isEverywhere);
  const slug = pairBy ?? 'temp_mean';
  if (isEverywhere(slug)) return slug;
  if (pairBy !== undefined || shared.length === 0) {
    throw new OptionError({
      subject: 'pairBy',
      problem: `is not a variable that all ${fine ? '1 km ' : ''}horizons have`,
      received: slug,
      allowed: shared.join(', ') || `a variable with files for ${horizons.join(', ')}`,
    });
  }
  onNotice?.(`members are paired by ${shared[0]}, as not all horizons have temp_mean`);
  return shared[0];
}

function variableOf({ variables }: GridFiles, slug: string): Variable {
  const [entry] = (variables.get(slug) as ReadonlyMap<HorizonName, CatalogEntry>).values();
  return entry.variable;
}

/** Reads a variable's horizons from the shortest to the last that has it; undefined for those between without it. */
async function readHorizons(
  slug: string,
  { horizons, variables, places }: GridFiles,
  input: ForecastInput,
): Promise<(Horizon | undefined)[]> {
  const entries = variables.get(slug) as ReadonlyMap<HorizonName, CatalogEntry>;
  const last = horizons.findLastIndex((horizon) => entries.has(horizon));
  const fields: (Horizon | undefined)[] = [];
  for (const horizon of horizons.slice(0, last + 1)) {
    const entry = entries.get(horizon);
    if (entry === undefined) {
      fields.push(undefined);
      continue;
    }
    const { file, variable, initTime } = entry;
    const { source } = file;
    const { part } = await readFile(file, input.variables, places);
    const run = { variable, horizon, initTime, source };
    for (const text of describeUnusedDays(part.field, run)) input.onNotice?.(`${source}: ${text}`);
    fields.push({ name: horizon, source, field: selectUsableDays(part.field, run) });
  }
  return fields;
}

/** Blends horizons to their timeline, a group of places at a time; undefined is a horizon without the variable. */
function timelineBlocks(
  core: Core,
  available: readonly (Horizon | undefined)[],
  pairing: Pairing,
): Pick<Series, 'axis' | 'blocks'> {
  const horizons = fillMissingHorizons(available, pairing);
  const fields = horizons.map(({ field }) => field);
  const { firstDay, members } = pairing;
  const days = timelineDays(fields, pairing);
  function* blocks() {
    for (const { field } of blendInGroups(core, horizons, pairing)) yield* placeBlocks(field);
  }
  return {
    axis: { firstDay, days, members, horizons: horizonRanges(available, pairing, days) },
    blocks: blocks(),
  };
}
