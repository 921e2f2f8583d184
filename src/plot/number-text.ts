/** A value with the decimals of its variable. */
export function numberText(value: number | null | undefined, decimals: number): string {
  if (value === null || value === undefined || Number.isNaN(value)) return 'missing';
  return (Number(value.toFixed(decimals)) + 0).toFixed(decimals).replace('-', '−');
}
