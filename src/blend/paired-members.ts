import type { EnsembleField } from '../core/field.js';
import type { NamedEnsemble } from '../ensemble/align-ensembles.js';
import { DataError } from '../errors.js';

/** Fields with the same members in the same order. */
export interface PairedMembers {
  readonly fields: readonly EnsembleField[];
  /** The members' names; undefined where the inputs' names differ. */
  readonly names: readonly string[] | undefined;
}

/**
 * Pairs the members of several variables: by name where all inputs have the same names, in any order; by place where
 * they share none, such as columns `tmin_01` and `tmax_01`. Names are those of the metadata's `member_names`, or of the
 * columns. Throws DataError for an input that has more or fewer members than the first one, or only some of the same
 * names.
 */
export function pairedMembers(inputs: readonly NamedEnsemble[], fields: readonly EnsembleField[]): PairedMembers {
  const names = fields.map((field, i) => memberNames(inputs[i], field));
  const orders = names.map((own, i) => memberOrder(names[0], own, inputs[0].source, inputs[i].source));
  return {
    fields: fields.map((field, i) => reordered(field, orders[i])),
    names: orders.includes(undefined) ? undefined : names[0],
  };
}

function memberNames({ ensemble }: NamedEnsemble, { members }: EnsembleField): string[] {
  const columns = members.map(({ name }) => name);
  try {
    const stated = JSON.parse(ensemble.metadata.get('member_names') ?? '[]');
    return Array.isArray(stated) && stated.length === members.length ? stated.map(String) : columns;
  } catch {
    return columns;
  }
}

/** The place among `own` of each of the first input's members; undefined where they have no name in common. */
function memberOrder(
  first: readonly string[],
  own: readonly string[],
  firstSource: string,
  source: string,
): number[] | undefined {
  if (own.length !== first.length) {
    throw new DataError({
      source,
      problem: `not as many members as ${firstSource}`,
      received: own.length,
      allowed: String(first.length),
    });
  }
  const order = first.map((name) => own.indexOf(name));
  if (!order.includes(-1)) return order;
  if (order.every((place) => place === -1)) return undefined;
  throw new DataError({
    source,
    problem: `a member of ${firstSource} is missing`,
    received: own.join(', '),
    allowed: `the same names as in ${firstSource}, or none of them: ${first.join(', ')}`,
  });
}

function reordered(field: EnsembleField, order: readonly number[] | undefined): EnsembleField {
  if (order === undefined || order.every((place, m) => place === m)) return field;
  const { members, place } = field;
  return {
    ...field,
    members: order.map((m) => members[m]),
    ...(place && { place: (m, row) => place(order[m], row) }),
  };
}
