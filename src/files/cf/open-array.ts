import { requestedDays } from '../../ensemble/local-days.js';
import { DataError, mentionOption, OptionError } from '../../errors.js';
import { calendarNotes } from '../../table/columns/day-column.js';
import { rateName } from '../../variable/find-variable.js';
import { unitConversion, unitsAgree } from '../../variable/unit-conversion.js';
import type { Variable } from '../../variable/variable.js';
import type { ArrayFile, StoredArray } from '../array/array-file.js';
import { type ArrayLayout, arrayLayout, forRoles, layoutBox } from './array-layout.js';
import type { ArrayReader } from './array-reader.js';
import { arrayVariable } from './array-variable.js';
import { textAttribute } from './attribute-values.js';
import { arrayDimensions, arrayNamed } from './coordinates.js';
import { arrayAmounts, arrayMeans } from './days/array-amounts.js';
import { type ArrayDays, arrayDays } from './days/array-days.js';
import { arraySteps } from './days/array-steps.js';
import { planBlocks } from './days/block-plan.js';
import { dailyRule, smallestAmount } from './days/daily-rule.js';
import { blockReader } from './days/read-block.js';
import { dailyType, findReadPlan, linearConversion, longestDay, type ReadPlan, storedOrder } from './days/read-plan.js';
import { periodRule, storedPeriods, summingOperator } from './days/stored-periods.js';
import { assertZones, statedDays } from './days/zone-days.js';
import type { GridEnsemble, TakenFacts } from './grid-ensemble.js';
import type { CheckedGridOptions } from './grid-options.js';
import { cellsOfIds, cellsWithin, placedCells } from './select/cells-within.js';
import { type SelectedAxis, selectedArray } from './select/selected-array.js';
import { type RunChoice, type TimeAxis, timeMethod } from './time/time-axis.js';
import { modelPart, utcText } from './time/time-units.js';
import { valueCoding } from './value-coding.js';

/** The ensemble of an array, and its read plan, which also serves to read single cells: see `readCell`. */
export interface ArrayEnsemble extends GridEnsemble {
  readonly plan: ReadPlan;
}

/**
 * Opens an array of a file as an ensemble of daily values of `variable`, or of the variable that the file names;
 * undefined where it has no dimension of time. `run` is the run to read of several. Throws DataError and OptionError as
 * `gridEnsemble` does.
 */
export async function openArray(
  reader: ArrayReader,
  array: StoredArray,
  variable: Variable | undefined,
  options: CheckedGridOptions,
  run: RunChoice = options.init,
): Promise<ArrayEnsemble | undefined> {
  const { source } = reader.file;
  const found = await arrayLayout(reader, array, run);
  if (found === undefined) return undefined;
  const present = await withWordedPeriods(presentMembers(found));
  const within = options.bbox
    ? cellsWithin(source, present, options.bbox)
    : options.ids
      ? cellsOfIds(source, present, options.ids)
      : options.onlyPlaced
        ? placedCells(present)
        : undefined;
  const layout = within?.layout ?? present;
  const held = variable ?? arrayVariable(array, options.variables);
  const { units: stated, unitNotes, by: unitsBy } = findUnits(array, source, held, options);
  const periods = options.native === true ? storedPeriods(source, layout) : undefined;
  if (periods && requestedDays(options)) assertZones(source, layout, options);
  // An amount per month is the one of each month.
  const units = periods?.granularity === 'monthly' ? stated?.replace(PER_MONTH, '') : stated;
  const smallest = smallestAmount(array, source, held, units, options);
  const isCounted = smallest !== undefined && periods === undefined;
  const counted = isCounted ? await arrayAmounts(reader.file, layout, smallest, options) : undefined;
  const growing = counted ?? (periods ? undefined : arrayMeans(source, layout));
  const { steps, notes, fresh, meaning, warnings, texts, edges }: ArrayDays = periods
    ? { ...periods, notes: [], fresh: undefined, meaning: undefined, warnings: [], texts: statedDays(reader.file) }
    : await (options.asSteps ? arraySteps : arrayDays)(reader, layout, held, options, growing);
  const ofDays = dailyRule(array, source, held, units, steps, growing && { ...growing, fresh });
  const ofPeriods =
    periods &&
    periodRule(source, layout, ofDays, {
      ...{ ...periods, areTotals: units !== stated },
      ...(options.units === undefined && { summedBy: summingOperator(reader.file) }),
    });
  const rule = ofPeriods?.rule ?? ofDays;
  const coding = valueCoding(array, source, options.missing);
  const readPlan = {
    ...{ source, layout, steps, rule, coding, smallest, edges },
    ...{ type: dailyType(coding), order: storedOrder(layout) },
  };
  const conversion = periods ? undefined : linearConversion(readPlan);
  const plan: ReadPlan = { ...readPlan, conversion, longestDay: longestDay(readPlan) };
  return {
    ...{ source, array: array.name, variable: held, units: rule.units },
    conversions: [
      ...(within ? [within.note] : []),
      ...calendarNotes(modelPart(layout.times.calendar)),
      ...[...layout.times.notes, ...notes, ...unitNotes, ...rule.conversions, ...(array.notices ?? [])],
    ],
    warnings: [
      ...warnings,
      ...(counted?.warning ? [counted.warning] : []),
      ...(ofPeriods?.warnings ?? []),
      ...rotatedWarnings(reader.file, array),
    ],
    ...{ ...(meaning && { times: meaning }), taken: takenFacts(layout, unitsBy) },
    ...(counted && { accumulation: counted.amounts.kind }),
    ...(periods && { granularity: periods.granularity }),
    metadata: new Map([...fileMetadata(reader.file, layout.times), ...texts]),
    type: plan.type,
    members: layout.members,
    firstDay: steps.firstDay,
    days: steps.days,
    ...(edges && { edges }),
    grid: layout.cells.grid,
    cells: layout.length.y * layout.length.x,
    blocks: (bytes, cuts) => planBlocks(plan, bytes, cuts),
    read: blockReader(plan),
    plan,
  };
}

/** A layout with the bounds of overlapping periods that only the words of an array state. */
async function withWordedPeriods(layout: ArrayLayout): Promise<ArrayLayout> {
  const { array, times } = layout;
  const text = textAttribute(array.attributes, 'comment') ?? '';
  const isOfPeriods = ['mean', 'sum'].includes(timeMethod(array.attributes) ?? '');
  if (times.bounds !== undefined || !isOfPeriods || !/ hour\s+period \(/.test(text)) return layout;
  const bounds = (await import('./time/worded-periods.js')).wordedPeriods(text, times);
  return bounds ? { ...layout, times: { ...times, bounds } } : layout;
}

const OVER_TIME = /\s*(\/\s*|\bper\s+)(mon(th)?|d(ay)?)$|\s+(mon(th)?|d(ay)?)(-1|\^-1|\*\*-1)$/i;
const PER_MONTH = /\s*(\/\s*|\bper\s+)mon(th)?$|\s+mon(th)?(-1|\^-1|\*\*-1)$/i;

function takenFacts({ array, times, cells, dimension }: ArrayLayout, units: string): TakenFacts {
  const { init, run, calendar } = times;
  return {
    units,
    ...(dimension.member >= 0 && { members: `along ${array.dimensions[dimension.member]}` }),
    ...(cells.by !== undefined && { places: `by ${cells.by}` }),
    run: {
      ...(init !== undefined && { start: utcText(init, modelPart(calendar)) }),
      ...(run !== undefined && { along: run.dimension.name }),
    },
  };
}

/**
 * Finds the units of an array: those that it or the caller states, else those of the standard name of a rate, with a
 * note. Throws OptionError where the two differ, and where values of a known variable have none, and DataError for a
 * rate whose name does not determine its units.
 */
function findUnits(
  { name: column, attributes }: StoredArray,
  source: string,
  variable: Variable | undefined,
  { units: given, native }: Pick<CheckedGridOptions, 'units' | 'native'>,
): { units: string | undefined; unitNotes: string[]; by: string } {
  const stated = textAttribute(attributes, 'units') ?? textAttribute(attributes, 'GRIB_units');
  const subject = `${source}, units`;
  const isOther = given !== undefined && stated !== undefined && !unitsAgree(given, stated);
  // Units that nothing can be made of give way.
  const isUseless = isOther && variable?.units !== undefined && unitConversion(stated, variable.units) === undefined;
  // Amounts of months may be totals, or means of daily ones; CDO keeps the units of rates that it adds up.
  const isOfRates = isOther && PER_MONTH.test(given) && variable !== undefined && isRate(stated, variable);
  const isOverTime = isOther && native === true && (isOfRates || unitsAgree(given.replace(OVER_TIME, ''), stated));
  if (isUseless || isOverTime)
    return {
      units: given,
      unitNotes: [`units of ${column} are ${given}, not ${stated}`],
      by: `${given}, by the caller`,
    };
  if (isOther) {
    const problem = `not those that array ${column} states`;
    throw new OptionError({ subject, problem, received: given, allowed: `${stated}, or no units` });
  }
  const units = stated ?? given;
  const by = stated !== undefined ? `${stated}, as stated` : given !== undefined ? `${given}, by the caller` : 'none';
  if (units !== undefined || !variable?.units) return { units, unitNotes: [], by };
  const own = column.slice(column.lastIndexOf('/') + 1);
  const rate = rateName([textAttribute(attributes, 'standard_name') ?? own, own], variable.slug);
  if (rate?.units !== undefined) {
    const note = `${rate.name}, without units, taken as ${rate.units}`;
    return { units: rate.units, unitNotes: [note], by: `${rate.units}, by the name ${rate.name}` };
  }
  if (rate !== undefined) {
    const problem = 'has no units, and holds rates by its name';
    throw new DataError({ source, column, problem, allowed: 'the attribute units, such as kg m-2 s-1 or m s-1' });
  }
  throw new OptionError({
    ...{ subject, problem: `array ${column} has no units` },
    allowed: `the attribute units; or ${mentionOption('units', variable.units)}, for instance, for ${variable.slug}`,
  });
}

function isRate(units: string, variable: Variable): boolean {
  return unitConversion(units, variable.units)?.perSecond === true;
}

/** Where coordinates say that they are degrees, and the grid mapping that these are of a rotated grid. */
function rotatedWarnings(file: ArrayFile, array: StoredArray): string[] {
  const mapping = arrayNamed(file, array, textAttribute(array.attributes, 'grid_mapping') ?? '');
  if (mapping === undefined || textAttribute(mapping.attributes, 'grid_mapping_name') !== ROTATED) return [];
  const taken = arrayDimensions(file, array).find(
    ({ coordinate }) => coordinate && textAttribute(coordinate.attributes, 'standard_name') === 'latitude',
  );
  return taken === undefined
    ? []
    : [
        `${taken.name} is taken for degrees of latitude, by its standard_name, though ${mapping.name} states a rotated grid; ${mentionOption('coordinates')} names others`,
      ];
}

const ROTATED = 'rotated_latitude_longitude';

/** Texts of a file that results keep. */
const NAMES = [
  'title',
  'institution',
  'source',
  'references',
  'license',
  'horizon',
  'version',
  'generation',
  'init_time',
];
/** Of a timeline with all members: without them it is not known which of them a day has. */
const OF_ALL_MEMBERS = ['trajectories', 'horizons'];

/**
 * The general texts in a file's attributes, the time at which its forecast begins as `init_time`, and the calendar of
 * its times where it is not the real one.
 */
function fileMetadata({ attributes }: ArrayFile, { init, calendar }: TimeAxis): Map<string, string> {
  const metadata = new Map<string, string>();
  const isOfAll = textAttribute(attributes, OF_ALL_MEMBERS[0]) !== undefined;
  for (const name of isOfAll ? [...NAMES, ...OF_ALL_MEMBERS] : NAMES) {
    const text = textAttribute(attributes, name);
    if (text !== undefined && text !== '') metadata.set(name, text);
  }
  const model = modelPart(calendar);
  if (model !== undefined) metadata.set('calendar', model);
  if (init !== undefined) metadata.set('init_time', utcText(init, model));
  return metadata;
}

/** The members that one of several runs has: others are left out where the file knows that it has no value of them. */
function presentMembers(layout: ArrayLayout): ArrayLayout {
  const { array, dimension, length, times } = layout;
  if (times.run === undefined || dimension.member < 0 || array.isAbsent === undefined) return layout;
  const all = forRoles((role) => ({ start: 0, count: length[role] }));
  const isAbsent = (start: number) => array.isAbsent?.(layoutBox(layout, { ...all, member: { start, count: 1 } }));
  const indices = Int32Array.from(layout.members.keys()).filter((member) => !isAbsent(member));
  if (indices.length === 0 || indices.length === length.member) return layout;
  return layoutOfMembers(layout, indices);
}

/** A layout of some members. */
function layoutOfMembers(layout: ArrayLayout, indices: Int32Array): ArrayLayout {
  const { array, dimension, length } = layout;
  const axes = array.shape.map(
    (_, d): SelectedAxis =>
      d === dimension.member ? { kind: 'some', dimension: d, indices } : { kind: 'all', dimension: d },
  );
  return {
    ...layout,
    array: selectedArray(array, axes),
    members: Array.from(indices, (member) => layout.members[member]),
    length: { ...length, member: indices.length },
  };
}

/** The same days and cells of some members, by their indices; undefined unless an array has a dimension of members. */
export function ensembleOfMembers(ensemble: GridEnsemble, indices: Int32Array): GridEnsemble | undefined {
  const all = findReadPlan(ensemble);
  if (all === undefined || all.layout.dimension.member < 0) return undefined;
  const plan: ReadPlan = { ...all, layout: layoutOfMembers(all.layout, indices) };
  const ofMembers: ArrayEnsemble = {
    ...ensemble,
    members: plan.layout.members,
    blocks: (bytes, cuts) => planBlocks(plan, bytes, cuts),
    read: blockReader(plan),
    plan,
  };
  return ofMembers;
}
