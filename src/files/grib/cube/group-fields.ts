import { levelKey } from '../product/level.js';
import type { IndexedField } from './indexed-field.js';
import { splitIntervals } from './intervals.js';

/** Fields of one quantity on one grid: one array is made of them. */
export interface FieldGroup {
  readonly name: string;
  readonly fields: readonly IndexedField[];
  /** Why fields of the quantity were left out; for people. */
  readonly notice?: string;
}

/** A group before it has a name, and what may distinguish it from others of the same parameter. */
interface Draft extends Omit<FieldGroup, 'name'> {
  readonly base: string;
  readonly features: readonly string[];
}

/** Names of what was computed from all members, code table 4.7. */
const DERIVED = ['mean', 'weightedmean', 'sd', 'normalizedsd', 'spread', 'anomaly', 'clustermean', 'iqr', 'min', 'max'];

/**
 * Groups fields into arrays: of one parameter, level, statistical process, kind of ensemble, centre and grid each.
 * Where one parameter has several, their names state what is different: `2t_721x1440`, `tp_since_start`.
 */
export function groupFields(fields: readonly IndexedField[]): FieldGroup[] {
  const groups = new Map<string, IndexedField[]>();
  for (const each of fields) {
    const key = groupKey(each);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  return named([...groups.values()].flatMap(drafts));
}

function groupKey({ product, parameter, grid }: IndexedField): string {
  const { stepType, derived, member, level } = product;
  const { centre } = product.parameter;
  const ensemble = derived === undefined ? (member === undefined ? 'single' : 'members') : `derived ${derived}`;
  const numbers = parameter.units === undefined ? Object.values(product.parameter).join() : '';
  return [
    parameter.shortName,
    parameter.units,
    numbers,
    levelKey(level),
    stepType,
    ensemble,
    centre,
    gridId(grid),
  ].join('|');
}

const gridIds = new WeakMap<object, number>();
let gridCount = 0;

function gridId(grid: object): number {
  const known = gridIds.get(grid);
  if (known !== undefined) return known;
  gridIds.set(grid, ++gridCount);
  return gridCount;
}

function drafts(fields: readonly IndexedField[]): Draft[] {
  const [{ product, parameter, grid }] = fields;
  const { derived, member, stepType } = product;
  const suffix = derived === undefined ? '' : `_ens${DERIVED[derived] ?? derived}`;
  return splitIntervals(fields).map(({ label, fields: kept, notice }) => ({
    base: parameter.shortName + suffix,
    features: [stepType, member === undefined ? 'single' : '', label, `centre${product.parameter.centre}`, grid.label],
    fields: kept,
    ...(notice !== undefined && { notice }),
  }));
}

function named(all: readonly Draft[]): FieldGroup[] {
  const names = new Map<string, number>();
  return all.map(({ base, features, fields, notice }) => {
    const alike = all.filter((other) => other.base === base);
    const differing = features.filter(
      (feature, i) => feature !== '' && alike.some((other) => other.features[i] !== feature),
    );
    const name = [base, ...differing].join('_');
    const count = (names.get(name) ?? 0) + 1;
    names.set(name, count);
    return { name: count === 1 ? name : `${name}_${count}`, fields, ...(notice !== undefined && { notice }) };
  });
}
