import type { Table } from 'apache-arrow';
import { PAIR_BY } from '../blend/join-options.js';
import { type BlendOptions, checkBlendOptions } from '../blend/options.js';
import { commonVariable } from '../blend/timeline-metadata.js';
import type { Core } from '../core/load.js';
import { leadingPlaces, matchingCells, type NamedPlaces } from '../ensemble/align-ensembles.js';
import { type LabelColumn, labelAt } from '../ensemble/place-labels.js';
import type { ArraySelection } from '../files/array/array-selection.js';
import type { GridOptions } from '../files/cf/grid-options.js';
import { selectArrays } from '../files/cf/select-arrays.js';
import type { ColumnRoles } from '../table/columns/column-role.js';
import { placeLabels } from '../table/rows/label-columns.js';
import { isOfGrid } from '../table/rows/read-places.js';
import { type NamedVariable, resolveVariable } from '../variable/find-variable.js';
import { dailyEnsembleOfTable } from './daily-ensembles.js';
import { type DailyInput, gridInput, tableInput } from './daily-input.js';
import { HorizonSet } from './horizon-set.js';
import { type ArrayInput, type Input, openInput, type TableInput } from './input.js';
import type { InputFile } from './input-file.js';
import { columnsOfTable, type DailyRequest, type ValueOptions } from './input-request.js';
import { InputTimeline, type TimelineHooks } from './input-timeline.js';
import { variablesOfArrays, variablesOfTable } from './list-variables.js';
import type { Report } from './notice.js';
import { openGrid } from './open-grid.js';
import { OptionUse } from './option-use.js';

/** How inputs become one timeline. */
export interface BlendRequest {
  readonly options: Omit<BlendOptions, 'also' | 'pairing' | 'sources' | 'variables'> & { readonly variable?: string };
  readonly values: ValueOptions;
  /**
   * What members are paired by: variables of the inputs, or other inputs, one for each horizon of each variable.
   * Default: temp_mean and precipitation, where all have them.
   */
  readonly pairBy?: readonly InputFile[] | readonly string[];
}

/** Callbacks of `blendInputs`. */
export interface BlendHooks extends TimelineHooks {
  readonly report: Report;
  /** Called with the name of each input before it is opened. */
  readonly opening: (source: string) => void;
}

/**
 * Blends inputs of any format into one timeline, from the shortest horizon to the longest, and passes it to `write`.
 * Reports conversions and warnings. Throws as `blend` does, and what opening and reading inputs throws.
 */
export async function blendInputs(
  core: Core,
  files: readonly InputFile[],
  { options, values, pairBy }: BlendRequest,
  { report, opening, ...hooks }: BlendHooks,
  write: (timeline: InputTimeline) => Promise<void>,
): Promise<void> {
  const checked = checkBlendOptions(options, files.length);
  const { variable, variableName } = checked;
  const columns = columnsOfTable(checked.columns, values);
  const opened: Input[] = [];
  const use = new OptionUse(values);
  const open = async (file: InputFile, selection?: () => Promise<ArraySelection | undefined>): Promise<ReadInput> => {
    opening(file.source);
    const input = await openInput(file, values, report, { selection, use });
    opened.push(input);
    return input.kind === 'arrays' ? input : { ...input, table: await input.read() };
  };
  try {
    const selection = async () => selectBlended({ ...options, ...values }, pairBy);
    const inputs = await inOrder(files, (file) => open(file, selection));
    const request = { variable, variableName, columns: checked.columns, values, use };
    const own = await inOrder(inputs, (input) => dailyInput(core, input, request));
    const by = await pairedBy(inputs, own, pairBy, columns, open);
    const paired = await inOrder(by, ({ inputs: others, variable: other, variableName: called }) => {
      const prefixed: Report = (notice) =>
        report({ ...notice, text: `${other?.slug ?? 'values'} that members are paired by: ${notice.text}` });
      const shared = valuesOfFiles(values);
      const named = { variable: other, variableName: called, columns: checked.columns };
      const requestOfPairs = { ...named, values: shared, use: use.among(shared) };
      if (others === undefined) return Promise.resolve(own);
      return inOrder(others, (input) => dailyInput(core, { ...input, report: prefixed }, requestOfPairs));
    });
    use.assertUsed();
    const places = withCellsOfAll(leadingPlaces([...paired.flat(), ...own]), own);
    const ownSet = new HorizonSet(own, checked, places);
    const sets = paired.map((each) => (each === own ? ownSet : new HorizonSet(each, checked, places)));
    const timeline = new InputTimeline(core, { own: ownSet, paired: sets, places }, checked, hooks);
    await write(timeline);
    timeline.reportCoverage(report);
  } finally {
    for (const input of opened) await input.close();
  }
}

/** Places without what their horizons have of different grids, such as the cell of a point. */
function withCellsOfAll<Some extends NamedPlaces>(places: Some, horizons: readonly NamedPlaces[]): Some {
  const { labels } = places;
  if (labels === undefined || !labels.columns.some(({ name }) => isOfGrid(name))) return places;
  const others = horizons.map((horizon) => ({ labels: horizon.labels, cells: matchingCells(places, horizon) }));
  const isOfAll = (column: LabelColumn) =>
    others.every(({ labels: own, cells }) => {
      const other = own?.columns.find(({ name }) => name === column.name);
      if (own === undefined || other === undefined) return false;
      return labels.of.every(
        (_, place) => labelAt(labels, column, place) === labelAt(own, other, cells?.[place] ?? place),
      );
    });
  const columns = labels.columns.filter((column) => !isOfGrid(column.name) || isOfAll(column));
  if (columns.length === labels.columns.length) return places;
  return { ...places, labels: placeLabels(columns, labels.hasId, labels.of) };
}

/** The arrays of the variable that is blended and, where these are in the same inputs, of those that pair members. */
function selectBlended(own: Pick<GridOptions, 'variable' | 'array'>, pairBy: BlendRequest['pairBy']) {
  if (pairBy === undefined) return selectArrays([own], PAIR_BY);
  return selectArrays([own, ...pairBy.flatMap((one) => (typeof one === 'string' ? { variable: one } : []))]);
}

/** An input, whose table was read if it is one: it may be needed for two variables. */
type ReadInput = ArrayInput | (TableInput & { readonly table: Table });

/** Reads the daily values of one variable of an input, or opens them. */
async function dailyInput(core: Core, input: ReadInput, request: DailyRequest): Promise<DailyInput> {
  if (input.kind === 'arrays') return gridInput(core, await openGrid(input, request));
  const columns = columnsOfTable(request.columns, request.values);
  return tableInput(input.source, dailyEnsembleOfTable(input.table, input, { ...request, columns }).ensemble);
}

/** A variable that members are paired by; without inputs it is the one that is blended. */
interface PairedBy extends Partial<NamedVariable> {
  readonly inputs?: readonly ReadInput[];
}

/** The variables, and their inputs, that members are paired by. */
async function pairedBy(
  inputs: readonly ReadInput[],
  own: readonly DailyInput[],
  pairBy: BlendRequest['pairBy'],
  columns: ColumnRoles | undefined,
  open: (file: InputFile) => Promise<ReadInput>,
): Promise<readonly PairedBy[]> {
  const files = pairBy?.filter((one) => typeof one !== 'string') ?? [];
  if (files.length > 0) {
    const opened = await inOrder(files, (file) => open(file));
    const variables = Array.from({ length: files.length / inputs.length }, (_, v) => v * inputs.length);
    return variables.map((first) => ({ inputs: opened.slice(first, first + inputs.length) }));
  }
  const blended = commonVariable(own).variable?.slug;
  const known = inputs.map((input) =>
    input.kind === 'arrays' ? variablesOfArrays(input.arrays) : variablesOfTable(input.table, columns),
  );
  const isEverywhere = (slug: string) => slug === blended || known.every((slugs) => slugs.includes(slug));
  const usual = PAIR_BY.filter(isEverywhere);
  const slugs = pairBy?.filter((one) => typeof one === 'string') ?? (usual.length > 0 ? usual : [undefined]);
  return slugs.map((slug) => {
    const named = slug === undefined ? undefined : resolveVariable(slug);
    return named === undefined || named.variable.slug === blended ? {} : { inputs, ...named };
  });
}

/** The value options that also apply to another variable of the same files. */
function valuesOfFiles({
  units: _units,
  array: _array,
  accumulation: _accumulation,
  ...others
}: ValueOptions): ValueOptions {
  return others;
}

/** The results of `work`, done one after the other. */
async function inOrder<In, Out>(all: readonly In[], work: (one: In) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = [];
  for (const one of all) results.push(await work(one));
  return results;
}
