import { type Condition, leavesOf } from '../../condition/condition.js';
import { parseCondition } from '../../condition/parse-condition.js';
import { windowsOf } from '../../period/windows.js';
import type { Threshold } from '../../statistics/options.js';
import { readWindowValue } from '../../statistics/window-measure.js';
import { variables } from '../../variable/built-in.js';
import { unitChoices } from './units.js';
import { FIRST_VIEW, type SeriesMethod, type View } from './view.js';

/** The data that an address names. Local files cannot be named. */
export type LinkedSource =
  | { readonly kind: 'sample' }
  | { readonly kind: 'urls'; readonly urls: readonly string[] }
  | { readonly kind: 'server'; readonly address: string };

/** What the part of an address after # says. */
export interface Linked {
  readonly source?: LinkedSource;
  readonly view: View;
}

/** Writes a view as the part of an address after #: only what differs from the first view. There is no key in it. */
export function formatAddress({ source, view }: Linked): string {
  const parts = new URLSearchParams();
  if (source?.kind === 'urls') for (const url of source.urls) parts.append('url', url);
  if (source?.kind === 'server') parts.set('server', source.address);
  if (view.variables !== undefined) parts.set('var', view.variables.join(','));
  if (view.windows !== undefined) parts.set('by', view.windows);
  if (view.partial) parts.set('partial', 'on');
  for (const [variable, hold] of Object.entries(view.holds)) parts.append('hold', `${variable}:${hold}`);
  for (const condition of view.conditions) parts.append('when', condition);
  if (view.outer !== FIRST_VIEW.outer || view.inner !== FIRST_VIEW.inner) parts.set('q', `${view.outer},${view.inner}`);
  for (const [variable, { operator, limit }] of Object.entries(view.thresholds))
    parts.append('limit', `${variable}${operator}${limit}`);
  if (!view.members) parts.set('members', 'off');
  if (view.steps) parts.set('steps', 'on');
  if (view.sampling) parts.set('bands', 'on');
  if (view.normal) parts.set('normal', 'on');
  if (view.method !== FIRST_VIEW.method)
    parts.set('blend', typeof view.method === 'string' ? view.method : `only-${view.method.only + 1}`);
  if (view.point !== undefined) parts.set('at', `${view.point.latitude},${view.point.longitude}`);
  if (view.as !== undefined) parts.set('as', view.as);
  if (view.model !== undefined) parts.set('model', view.model);
  for (const [from, to] of Object.entries(view.units)) parts.append('unit', `${from}:${to}`);
  // Commas and colons are allowed there, and are easier to read.
  return parts.toString().replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%2F', '/');
}

/** Reads the part of an address after #. What is not understood is left out. */
export function parseAddress(hash: string): Linked {
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  const urls = parts.getAll('url').filter(isHttp);
  const server = parts.get('server') ?? '';
  const [outer, inner] = numbersOf(parts.get('q'), 2) ?? [FIRST_VIEW.outer, FIRST_VIEW.inner];
  const [latitude, longitude] = numbersOf(parts.get('at'), 2) ?? [];
  const chosen = parts.get('var')?.split(',').filter(Boolean);
  const isPlace = Math.abs(latitude) <= 90 && longitude >= -180 && longitude <= 360;
  return {
    ...(urls.length > 0 && { source: { kind: 'urls', urls } as const }),
    ...(isHttp(server) && { source: { kind: 'server', address: server } as const }),
    view: {
      ...(chosen !== undefined && { variables: chosen }),
      ...ofText('windows', parts.get('by'), (text) => windowsOf(text).text),
      partial: parts.get('partial') === 'on',
      holds: holdsOf(parts.getAll('hold')),
      conditions: [...new Set(parts.getAll('when'))].filter(isNamedCondition),
      ...(isBand(outer, inner) ? { outer, inner } : { outer: FIRST_VIEW.outer, inner: FIRST_VIEW.inner }),
      thresholds: thresholdsOf(parts.getAll('limit')),
      members: parts.get('members') !== 'off',
      steps: parts.get('steps') === 'on',
      sampling: parts.get('bands') === 'on',
      normal: parts.get('normal') === 'on',
      method: methodOf(parts.get('blend')),
      ...(isPlace && { point: { latitude, longitude } }),
      ...(parts.get('model') && { model: parts.get('model') ?? '' }),
      ...(isVariable(parts.get('as')) && { as: parts.get('as') ?? '' }),
      units: unitsOf(parts.getAll('unit')),
    },
  };
}

function isVariable(text: string | null): boolean {
  return variables.some(({ slug }) => slug === text);
}

function isHttp(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function numbersOf(text: string | null, count: number): number[] | undefined {
  const numbers = text?.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part))) ?? [];
  return numbers.length === count && numbers.every(Number.isFinite) ? numbers : undefined;
}

function isBand(outer: number, inner: number): boolean {
  const isLower = (p: number) => p > 0 && p < 0.5 && Number(p.toFixed(4)) === p;
  return isLower(outer) && isLower(inner) && outer <= inner;
}

/** A field of the view that a text says; nothing for a text that cannot be read. */
function ofText<Name extends string>(
  name: Name,
  text: string | null,
  read: (text: string) => string,
): { [Key in Name]?: string } {
  try {
    return (text === null ? {} : { [name]: read(text) }) as { [Key in Name]?: string };
  } catch {
    return {};
  }
}

function holdsOf(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.flatMap((text) => {
      const colon = text.lastIndexOf(':');
      const { hold = '' } = ofText('hold', text.slice(colon + 1), (each) => `${readWindowValue(each) ?? ''}`);
      return colon > 0 && hold !== '' ? [[text.slice(0, colon), hold]] : [];
    }),
  );
}

function methodOf(text: string | null): SeriesMethod {
  const [, only] = /^only-([1-9]\d?)$/.exec(text ?? '') ?? [];
  if (only !== undefined) return { only: Number(only) - 1 };
  return text === 'splice' ? 'splice' : 'field';
}

function thresholdsOf(texts: readonly string[]): Record<string, Threshold> {
  return Object.fromEntries(
    texts.flatMap((text) => {
      const found = conditionOf(text);
      if (found?.kind !== 'comparison' || found.variable === undefined || typeof found.limit !== 'number') return [];
      return [[found.variable, { operator: found.operator, limit: found.limit }] as const];
    }),
  );
}

/** The condition of an address, which people may have changed. */
function conditionOf(text: string): Condition | undefined {
  try {
    return parseCondition(text);
  } catch {
    return undefined;
  }
}

/** Whether a text is a condition that names the variable of each part. */
function isNamedCondition(text: string): boolean {
  const condition = conditionOf(text);
  return condition !== undefined && leavesOf(condition).every(({ variable }) => variable !== undefined);
}

function unitsOf(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    texts.flatMap((text) => {
      const [own, shown, ...more] = text.split(':');
      const isChoice = more.length === 0 && unitChoices(own).some(({ units }) => units === shown);
      return isChoice && shown !== own ? [[own, shown]] : [];
    }),
  );
}
