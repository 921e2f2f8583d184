import { DataError } from '../errors.js';

/** The members of one variable, and its name in messages. */
export interface NamedMembers {
  readonly source: string;
  readonly members: readonly string[];
}

/** Members that all variables have. */
export interface PairedMembers {
  /** For each variable the positions of its members, in the order of the first variable's members. */
  readonly positions: readonly (readonly number[])[];
  /** For people: which members have no counterpart; undefined where all have one. */
  readonly note?: string;
}

/**
 * Pairs the members of several variables of one ensemble: by their names where all have the same, else by the last
 * number in each name (`member_03`, `m3`, `3`); the only member of each, as of a history, whatever their names. Members that not all variables have are left out. Throws DataError where
 * names tell nothing, or no member is common.
 */
export function pairMembers(variables: readonly NamedMembers[]): PairedMembers {
  const [first] = variables;
  if (variables.every(({ members }) => members.length === 1)) return { positions: variables.map(() => [0]) };
  const byName = variables.map(({ members }) => new Map(members.map((name, m) => [name, m])));
  const haveSameNames = byName.every(
    (map) => map.size === first.members.length && first.members.every((name) => map.has(name)),
  );
  const keyed = haveSameNames ? byName : variables.map(byNumber);
  const common = [...keyed[0].keys()].filter((key) => keyed.every((map) => map.has(key)));
  if (common.length === 0) {
    const received = variables.map(({ source, members }) => `${members[0]}, ... in ${source}`).join('; ');
    throw new DataError({
      problem: 'no member is in all variables',
      received,
      allowed: 'members with the same numbers',
    });
  }
  const positions = keyed.map((map) => common.map((key) => map.get(key) as number));
  const left = variables.filter(({ members }) => members.length > common.length);
  if (left.length === 0) return { positions };
  const counts = left.map(({ source, members }) => `${members.length - common.length} of ${source}`).join(', ');
  return { positions, note: `${common.length} members are in all variables; not used: ${counts}` };
}

/** Members by the last number in their names. Throws DataError where a name has none, or two have the same. */
function byNumber({ source, members }: NamedMembers): Map<string, number> {
  const found = new Map<string, number>();
  for (const [m, name] of members.entries()) {
    const number = /(\d+)\D*$/.exec(name)?.[1];
    const key = String(Number(number));
    const isKnown = number !== undefined && !found.has(key);
    if (isKnown) found.set(key, m);
    else {
      const problem = number === undefined ? 'a member has no number' : 'two members have one number';
      const allowed = 'members with the same names in all variables, or each with a number of its own';
      throw new DataError({ source, problem, received: name, allowed });
    }
  }
  return found;
}
