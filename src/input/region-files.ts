import { stat } from 'node:fs/promises';
import type { Condition, ConditionPart } from '../condition/condition.js';
import { parseCondition } from '../condition/parse-condition.js';
import { loadCore } from '../core/load.js';
import { cellsOfGrid, type Grid } from '../ensemble/grid.js';
import type { Point } from '../ensemble/nearest-place.js';
import { OptionError } from '../errors.js';
import { cellShapes } from '../files/cf/cells/cell-shapes.js';
import { findReadPlan } from '../files/cf/days/read-plan.js';
import type { GridEnsemble } from '../files/cf/grid-ensemble.js';
import { keptWeights } from '../files/cf/weights/kept-weights.js';
import { type MaskRegions, maskRegions } from '../files/cf/weights/mask-weights.js';
import { overRegions, type ValueCondition } from '../files/cf/weights/over-regions.js';
import type { Regions } from '../files/regions/region.js';
import { regionFinder } from '../files/regions/region-at.js';
import { boxRegion, regionList } from '../files/regions/region-list.js';
import { thresholdEnd } from '../statistics/categories.js';
import type { ArrayInput } from './input.js';
import { readInput } from './input-file.js';
import type { ValueOptions } from './input-request.js';
import { reportNotes, reportWarnings } from './notice.js';
import { jsonOf, withArrays } from './place-files.js';
import { weightsFile } from './weights-file.js';

/*
 * Loaded when regions are requested.
 */

/** The ensembles of one input over the requested regions. Reports what was done. */
export async function overRequestedRegions(
  { arrays, source, report }: ArrayInput,
  ensembles: readonly GridEnsemble[],
  values: ValueOptions,
): Promise<readonly GridEnsemble[]> {
  const { regionStatistic, areaCondition, minAreaShare } = values;
  const regions = await readRegions(values);
  const cache = values.regionWeights === undefined ? undefined : weightsFile(values.regionWeights);
  if (cache !== undefined && regions === undefined) throw noOutlines(values);
  const core = await loadCore();
  const found: GridEnsemble[] = [];
  let weighed: (MaskRegions & { readonly grid: Grid }) | undefined;
  for (const ensemble of ensembles) {
    const { grid } = ensemble;
    if (weighed === undefined || !isSameGrid(weighed.grid, grid)) {
      const layout = findReadPlan(ensemble)?.layout;
      if (regions === undefined) {
        const mask = await withArrays(values.regions as string, (file) => maskRegions(file, ensemble));
        weighed = { ...mask, grid };
      } else {
        const shapes = await cellShapes(grid, source, layout && { file: arrays, layout });
        weighed = { regions, weights: await keptWeights(cache, shapes, cellsOfGrid(grid), regions, source), grid };
      }
    }
    const condition =
      areaCondition === undefined ? undefined : valueCondition(areaCondition, ensemble.type === 'float32');
    const options = { statistic: regionStatistic, condition, minAreaShare };
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    const own = await overRegions(ensemble, weighed.regions, weighed.weights, core, Object.fromEntries(given));
    reportNotes(report, source, own.conversions.slice(ensemble.conversions.length));
    reportWarnings(report, source, own.warnings.slice(ensemble.warnings.length));
    found.push(own);
  }
  return found;
}

/** Finds the region of a place among the outlines of a file. Throws OptionError for a mask. */
export async function requestedRegionFinder(values: ValueOptions): Promise<(place: Point) => string | undefined> {
  const regions = await readRegions({ ...values, bbox: undefined });
  if (regions !== undefined) return regionFinder(regions);
  throw new OptionError({
    ...{ subject: 'regions', problem: 'is a mask, and results by region need outlines', received: values.regions },
    allowed: 'GeoJSON or TopoJSON',
  });
}

function noOutlines({ regions, regionWeights }: ValueOptions): OptionError {
  return new OptionError({
    ...{ subject: 'regionWeights', problem: `are kept of outlines, and ${regions} is a mask, which has its own` },
    ...{ received: regionWeights, allowed: 'regions as GeoJSON or TopoJSON' },
  });
}

/** The regions of a file of outlines, or of a box; undefined for a mask, which is read on its grid. */
async function readRegions({ regions: path, regionName: property, bbox }: ValueOptions): Promise<Regions | undefined> {
  if (path === undefined) return bbox && boxRegion(bbox);
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
  if (isFolder) return undefined;
  const json = jsonOf(await readInput(path), path);
  return json && regionList(json, { source: path, property });
}

function isSameGrid(one: Grid, other: Grid): boolean {
  const isSame = (a: Float64Array, b: Float64Array) => a.length === b.length && a.every((value, i) => value === b[i]);
  return one.kind === other.kind && isSame(one.latitude, other.latitude) && isSame(one.longitude, other.longitude);
}

/** A condition on one value. Throws OptionError for one that needs more than the value. */
function valueCondition(text: string, single: boolean): ValueCondition {
  const condition = parseCondition(text);
  return { text, holds: valueTest(condition, text, single) };
}

function valueTest(part: Condition | ConditionPart, text: string, single: boolean): (value: number) => boolean {
  const fail = (problem: string) =>
    new OptionError({
      subject: 'areaCondition',
      problem,
      received: text,
      allowed: 'comparisons with numbers, such as >20 or 5..20',
    });
  const above = (operator: '>' | '>=' | '<' | '<=', limit: unknown) => {
    if (typeof limit !== 'number') throw fail('has a quantile of a climatology');
    const [end, side] = thresholdEnd({ operator, limit }, single);
    return side === 1 ? (value: number) => value <= end : (value: number) => value > end;
  };
  switch (part.kind) {
    case 'given':
      throw fail('is about several members');
    case 'and':
    case 'or': {
      const tests = part.parts.map((one) => valueTest(one, text, single));
      return part.kind === 'and'
        ? (value) => tests.every((test) => test(value))
        : (value) => tests.some((test) => test(value));
    }
    default: {
      if (part.variable !== undefined) throw fail('names a variable');
      if (part.kind === 'comparison') return above(part.operator, part.limit);
      const [from, to] = [above('>=', part.from), above('<=', part.to)];
      return (value) => from(value) && to(value);
    }
  }
}
