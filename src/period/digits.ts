/** The number written in `text` by the decimal digits from `start` up to, not including, `end`; -1 where one is no digit. */
export function readDigits(text: string, start: number, end: number): number {
  let value = 0;
  for (let i = start; i < end; i++) {
    const digit = text.charCodeAt(i) - 48;
    // Written so that NaN, of a position beyond the text, is refused as well.
    if (!(digit >= 0 && digit <= 9)) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** `value`, an integer from 0 to 99, in two digits. */
export function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : `${value}`;
}

/** `value`, an integer from 0 to 9999, in four digits. */
export function fourDigits(value: number): string {
  if (value >= 1000) return `${value}`;
  return value >= 100 ? `0${value}` : value >= 10 ? `00${value}` : `000${value}`;
}
