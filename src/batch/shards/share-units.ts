/** Work that one shard does: an output, or a piece of its grid. */
export interface Unit {
  /** The name of the output. */
  readonly name: string;
  /** The number of the piece; undefined for an entire output. */
  readonly piece?: number;
  /** The inputs that it is computed from, as one text. */
  readonly inputs: string;
  /** The size of these inputs; of a piece, its part of it. */
  readonly bytes: number;
}

/**
 * Divides units among shards: the largest first, each to the shard with the least work so far. Units of the same inputs
 * stay together, so that few shards read the same file, unless they are more than a shard's share. The result depends
 * only on the names and sizes: every shard finds the same.
 */
export function shareUnits<U extends Unit>(units: readonly U[], shards: number): U[][] {
  const share = weightOf(units) / shards;
  const groups = groupUnits(units)
    .flatMap((group) => (weightOf(group) > share ? group.map((unit) => [unit]) : [group]))
    .map((group) => ({ group, weight: weightOf(group) }));
  groups.sort((a, b) => b.weight - a.weight || compareUnits(a.group[0], b.group[0]));
  const shares = Array.from({ length: shards }, (): { weight: number; units: U[] } => ({ weight: 0, units: [] }));
  for (const { group, weight } of groups) {
    const least = shares.reduce((a, b) => (b.weight < a.weight ? b : a));
    least.weight += weight;
    least.units.push(...group);
  }
  return shares.map(({ units: own }) => own);
}

/** The bytes of units; each counts as one more, so that units of unknown size are divided evenly. */
export function weightOf(units: readonly Pick<Unit, 'bytes'>[]): number {
  return units.reduce((sum, { bytes }) => sum + bytes + 1, 0);
}

/** The units of the same inputs; each piece is alone. */
function groupUnits<U extends Unit>(units: readonly U[]): U[][] {
  const byInputs = new Map<string, U[]>();
  const pieces: U[][] = [];
  for (const unit of [...units].sort(compareUnits)) {
    const group = byInputs.get(unit.inputs);
    if (unit.piece !== undefined) pieces.push([unit]);
    else if (group === undefined) byInputs.set(unit.inputs, [unit]);
    else group.push(unit);
  }
  return [...byInputs.values(), ...pieces];
}

function compareUnits(a: Unit, b: Unit): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return (a.piece ?? 0) - (b.piece ?? 0);
}
