/** `20,000 cells`, `1 cell`. */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

export function timeText(time: number): string {
  return time.toLocaleString('en', { maximumSignificantDigits: 3 });
}

/** How many times as fast. */
export function times(slow: number, fast: number): string {
  return `${(slow / fast).toFixed(slow / fast < 10 ? 2 : 1)}×`;
}

export function errorText(error: number | undefined): string {
  if (error === undefined) return '–';
  return error === 0 ? '0' : error.toExponential(1);
}

export function shareText(share: number | undefined): string {
  if (share === undefined) return '–';
  return share === 0 ? '0' : `${(share * 100).toPrecision(2)} %`;
}
