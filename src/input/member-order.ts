import type { Ensemble, EnsemblePart } from '../ensemble/ensemble.js';
import { compareNames } from '../files/part-folder/part-names.js';

/**
 * An ensemble with its members in the natural order of their names: where rows come in any order, members do too, and the
 * last bit of a mean of float64 depends on it.
 */
export function inMemberOrder(ensemble: Ensemble): Ensemble {
  const parts = ensemble.parts.map(partInOrder);
  return parts.every((part, i) => part === ensemble.parts[i]) ? ensemble : { ...ensemble, parts };
}

function partInOrder(part: EnsemblePart): EnsemblePart {
  const { members, place } = part.field;
  const isAfter = (one: string, other: string) => one !== other && compareNames(one, other) > 0;
  if (!members.some(({ name }, m) => m > 0 && isAfter(members[m - 1].name, name))) return part;
  const order = [...members.keys()].sort((a, b) => compareNames(members[a].name, members[b].name));
  const field = {
    ...part.field,
    members: order.map((m) => members[m]),
    ...(place && { place: (member: number, at: number) => place(order[member], at) }),
  };
  return { ...part, field };
}
