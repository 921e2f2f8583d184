let collator: Intl.Collator | undefined;

/** Compares names by their numbers, where they have some: `m2` comes before `m10`. */
export function naturalOrder(a: string, b: string): number {
  // It takes ten milliseconds to make, which most programs can do without.
  collator ??= new Intl.Collator('en', { numeric: true });
  return collator.compare(a, b);
}
