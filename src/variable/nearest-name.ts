/**
 * The name in `known` that is nearest to a mistyped name, or undefined if no name is near.
 *
 * Distance is the number of single characters inserted, deleted or replaced and of neighbours swapped (optimal string
 * alignment), without regard to case; near is at most a third of the longer name, and always at least one. Of equally
 * near names the first one in `known` is taken.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const limit = Math.max(1, Math.floor(Math.max(name.length, candidate.length) / 3));
    // The distance is at least the difference in length: very long names need no table.
    if (Math.abs(name.length - candidate.length) > limit) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance <= limit && distance < least) {
      nearest = candidate;
      least = distance;
    }
  }
  return nearest;
}

function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = previous[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      let distance = Math.min(previous[j] + 1, row[j - 1] + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        distance = Math.min(distance, beforePrevious[j - 2] + 1);
      }
      row.push(distance);
    }
    beforePrevious = previous;
    previous = row;
  }
  return previous[b.length];
}
