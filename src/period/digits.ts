/** The number that the digits of `text` from `start` to `end` (exclusive) write; -1 if one of them is not a digit. */
export function readDigits(text: string, start: number, end: number): number {
  let value = 0;
  for (let i = start; i < end; i++) {
    const digit = text.charCodeAt(i) - 48;
    // Written so that NaN, from a position beyond the text, gives -1 too.
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
