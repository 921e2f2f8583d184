import { OptionError } from '../errors.js';

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  m: 1e6,
  g: 1e9,
  t: 1e12,
  ki: 2 ** 10,
  mi: 2 ** 20,
  gi: 2 ** 30,
  ti: 2 ** 40,
};

/** Reads a number of bytes from a text such as `512MB`, `1.5 GiB` or `800000000`. Throws OptionError. */
export function parseBytes(subject: string, text: string | number): number {
  const isText = typeof text === 'string' || typeof text === 'number';
  const [, number, unit] = /^\s*(\d+(?:\.\d+)?)\s*([kmgt]i?)?b?\s*$/i.exec(isText ? String(text) : '') ?? [];
  if (number !== undefined) return Math.floor(Number(number) * UNITS[(unit ?? '').toLowerCase()]);
  throw new OptionError({
    subject,
    problem: 'is not a number of bytes',
    received: text,
    allowed: 'such as 512MB or 2GiB',
  });
}

/** Formats a number of bytes with three digits: `1.05 GB`. */
export function formatBytes(bytes: number): string {
  const names = ['B', 'kB', 'MB', 'GB', 'TB'];
  let power = 0;
  let value = bytes;
  for (; value >= 999.5 && power < names.length - 1; power++) value /= 1000;
  return `${power === 0 || value >= 99.95 ? Math.round(value) : value.toPrecision(3)} ${names[power]}`;
}
