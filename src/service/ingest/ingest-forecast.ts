import { blendInGroups, timelineDays } from '../../blend/blend-fields.js';
import { usualPairing } from '../../blend/blend-variables.js';
import { type Horizon, horizonHead } from '../../blend/horizon.js';
import { PAIR_BY } from '../../blend/join-options.js';
import { FieldPairer, valuesOnDay } from '../../blend/pairing/field-pairer.js';
import { planPairing } from '../../blend/pairing/pair-fields.js';
import type { Pairing } from '../../blend/pairing/pairing.js';
import { pairingRecord } from '../../blend/pairing/pairing-record.js';
import { assertOneOf } from '../../check/option-checks.js';
import { assertCore } from '../../core/assert-core.js';
import type { Core } from '../../core/load.js';
import type { Places } from '../../ensemble/nearest-place.js';
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
import { reportBeyond } from './report-beyond.js';
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
  const pairing = await pairGrid(coarse, input);
  writer.setForecast({ ...header, pairing: pairingRecord(pairing) });
  await ingestGrid(core, writer, input, coarse, pairing, kept);
  if (fine === undefined) return;
  const isSame = hasMembersOf(fine, pairing);
  if (!isSame)
    input.onNotice?.('members of the 1 km grid are paired by themselves: they are not as those of the other');
  await ingestGrid(core, writer, input, fine, isSame ? pairing : await pairGrid(fine, input, true));
}

/** Whether a grid has the first horizons of a pairing, with as many members. */
function hasMembersOf({ horizons, variables }: GridFiles, pairing: Pairing): boolean {
  const entries = [...variables.values()];
  return horizons.every((horizon, h) => {
    const paired = pairing.horizons[h];
    const files = entries.flatMap((own) => own.get(horizon) ?? []);
    return paired?.name === horizon && files.every(({ axis }) => axis.members === paired.members);
  });
}

/** Pairs the members of a grid's horizons by a sample of its places. */
async function pairGrid(grid: GridFiles, input: ForecastInput, fine = false): Promise<Pairing> {
  const slugs = choosePairingVariables(grid, input, fine);
  const options = seamOptions(grid.horizons, slugs);
  let pairer: FieldPairer | undefined;
  for (const slug of slugs) {
    const horizons = (await readHorizons(slug, grid, input)).flatMap((horizon) => horizon ?? []);
    const { cells } = horizons[0].field;
    if (pairer === undefined) {
      const plan = planPairing(horizons.map(horizonHead), 1, options);
      const hasValues = valuesOnDay(horizons[0], FieldPairer.comparedDay(plan));
      pairer = new FieldPairer(plan, grid.places, cells, { hasValues });
    }
    pairer.add(horizons, pairer.cells);
  }
  return (pairer as FieldPairer).end();
}

/** Ingests the files of a grid: of the coarse one also its horizons, whose values in `kept` must not be lost. */
async function ingestGrid(
  core: Core,
  writer: StoreWriter,
  input: ForecastInput,
  grid: GridFiles,
  pairing: Pairing,
  kept?: ReadonlyMap<string, Dataset>,
): Promise<void> {
  const fine = kept === undefined;
  const notices = new Set<string>();
  for (const slug of grid.variables.keys()) {
    const horizons = await readHorizons(slug, grid, input);
    const known = horizons.flatMap((horizon) => horizon ?? []);
    for (const [h, horizon] of horizons.entries()) {
      const beyond = horizon && describeDaysBeyondSpan(horizon, pairing, pairing.horizons[h]);
      if (beyond !== undefined) notices.add(`${horizon?.name}: ${beyond}`);
    }
    const variable = { slug, units: variableOf(grid, slug).units, places: grid.places };
    for (const { name, field } of fine ? [] : known) {
      await assertRunKept(name, kept?.get(name), { slug, field, places: grid.places });
      const blocks = reportBeyond(name, slug, placeBlocks(field), input.onNotice);
      await writer.write(name as HorizonName, { ...variable, axis: axisOf(field), blocks });
    }
    const blended = timelineBlocks(core, horizons, pairing, grid.places);
    await writer.write(fine ? 'fine-timeline' : 'timeline', { ...variable, ...blended });
  }
  for (const notice of notices) input.onNotice?.(notice);
}

/** Chooses the variables by which members are paired. Throws OptionError where not every horizon has them. */
function choosePairingVariables(
  { variables, horizons }: GridFiles,
  { pairBy, onNotice }: ForecastInput,
  fine: boolean,
): readonly string[] {
  const shared = [...variables.keys()].filter((slug) => variables.get(slug)?.size === horizons.length);
  const slugs = pairBy === undefined ? usualPairing(shared) : [pairBy].flat();
  const missing = slugs.find((slug) => !shared.includes(slug));
  if (missing !== undefined || slugs.length === 0) {
    throw new OptionError({
      subject: 'pairBy',
      problem: `is not a variable that all ${fine ? '1 km ' : ''}horizons have`,
      received: missing ?? PAIR_BY[0],
      allowed: shared.join(', ') || `a variable with files for ${horizons.join(', ')}`,
    });
  }
  if (pairBy === undefined && !PAIR_BY.includes(slugs[0])) {
    onNotice?.(`members are paired by ${slugs[0]}, as not all horizons have ${PAIR_BY.join(' or ')}`);
  }
  return slugs;
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
  places: Places,
): Pick<Series, 'axis' | 'blocks'> {
  const horizons = fillMissingHorizons(available, pairing);
  const fields = horizons.map(({ field }) => field);
  const { firstDay, members } = pairing;
  const days = timelineDays(fields, pairing);
  function* blocks() {
    for (const { field } of blendInGroups(core, horizons, pairing, places)) yield* placeBlocks(field);
  }
  return {
    axis: { firstDay, days, members, horizons: horizonRanges(available, pairing, days) },
    blocks: blocks(),
  };
}
