import type { Product } from '../product/product.js';
import { type IndexedField, timeText } from './indexed-field.js';

/** The members of an array. */
export interface MemberAxis {
  /** The index of each member by its key. */
  readonly index: ReadonlyMap<string, number>;
  /** Numbers as texts where they distinguish members; with their kind, and with the reference time, where needed. */
  readonly names: readonly string[];
  /** Of each member, where it has one only. */
  readonly references: readonly number[] | undefined;
}

/** Code table 4.6: unperturbed ones are control forecasts, of high and of low resolution. */
const KINDS = ['control', 'control', 'negative', 'positive', 'model'];
/** Their names where a file has both controls. */
const CONTROLS = ['control_high', 'control_low'];

/** What identifies a member of a run. */
export function memberKey({ member }: Pick<Product, 'member'>): string {
  return member === undefined ? '' : `${member.type} ${member.number}`;
}

/** The kind of a member and its number. */
function kindAndNumber({ member }: Product, kinds: readonly string[]): string {
  const { type, number } = member ?? { type: 0, number: 0 };
  return `${kinds[type] ?? KINDS[type] ?? `type${type}`}${number}`;
}

/** The key of a field's member among those of an array; of a lagged ensemble, each run has members of its own. */
export function keyWithin(product: Product, isLagged: boolean): string {
  return isLagged ? `${memberKey(product)} ${product.reference}` : memberKey(product);
}

/** Finds the members of fields, in the order of their reference times, where these differ, and numbers. */
export function memberAxis(fields: readonly IndexedField[], isLagged: boolean): MemberAxis {
  const found = new Map<string, Product>();
  const references = new Map<string, Set<number>>();
  for (const { product } of fields) {
    const key = keyWithin(product, isLagged);
    found.set(key, found.get(key) ?? product);
    references.set(key, (references.get(key) ?? new Set()).add(product.reference));
  }
  const ordered = [...found].sort(
    ([, a], [, b]) =>
      (isLagged ? a.reference - b.reference : 0) ||
      (a.member?.number ?? 0) - (b.member?.number ?? 0) ||
      (a.member?.type ?? 0) - (b.member?.type ?? 0),
  );
  const hasOneRun = [...references.values()].every(({ size }) => size === 1);
  return {
    index: new Map(ordered.map(([key], index) => [key, index])),
    names: memberNames(
      ordered.map(([, product]) => product),
      isLagged,
    ),
    references: hasOneRun ? ordered.map(([, { reference }]) => reference) : undefined,
  };
}

function memberNames(products: readonly Product[], isLagged: boolean): string[] {
  const number = ({ member }: Product) => String(member?.number ?? 0);
  const plain = products.map((product) => number(product));
  const areDistinct = (names: readonly string[]) => new Set(names).size === names.length;
  const times = products.map(({ reference }) => timeText(reference));
  const [ofKinds, ofControls] = [KINDS, CONTROLS].map((kinds) => products.map((each) => kindAndNumber(each, kinds)));
  const candidates = [plain, ofKinds, ofControls];
  if (!isLagged) return candidates.find(areDistinct) ?? ofControls;
  const lagged = candidates.map((names) => names.map((name, i) => `${times[i]} ${name}`));
  return [times, ...lagged].find(areDistinct) ?? lagged[2];
}
