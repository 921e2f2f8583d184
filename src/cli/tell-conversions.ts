/** Says on standard error what was done to the values of a source, where anything was. */
export function tellConversions(source: string, conversions: readonly string[]): void {
  if (conversions.length > 0) process.stderr.write(`note: ${source}: ${conversions.join('; ')}\n`);
}
