import type { WindowValue } from '../../statistics/window-value.js';
import { variables } from '../../variable/built-in.js';
import { unitConversion } from '../../variable/unit-conversion.js';

/** A unit that readers can choose. */
export interface DisplayUnit {
  /** As CF writes it. */
  readonly units: string;
  /** As it is shown. */
  readonly label: string;
}

/** Units of the same values as those of the data, which are the first of each list. */
const CHOICES: readonly (readonly DisplayUnit[])[] = [
  [
    { units: 'degC', label: '°C' },
    { units: 'degF', label: '°F' },
    { units: 'K', label: 'K' },
  ],
  [
    { units: 'mm', label: 'mm' },
    { units: 'in', label: 'in' },
    { units: 'cm', label: 'cm' },
  ],
  [
    { units: 'm s-1', label: 'm/s' },
    { units: 'kph', label: 'km/h' },
    { units: 'mph', label: 'mph' },
    { units: 'kt', label: 'kn' },
  ],
  [
    { units: 'kPa', label: 'kPa' },
    { units: 'hPa', label: 'hPa' },
  ],
];

/** The units for values in a unit: itself first; only that where no other is known. */
export function unitChoices(units: string): readonly DisplayUnit[] {
  const label = variables.find((variable) => variable.units === units)?.label ?? units;
  return CHOICES.find(([first]) => first.units === units) ?? [{ units, label }];
}

/** How values of the data are shown: `value * factor + offset`, in a unit. */
export interface Shown {
  readonly units: string;
  readonly label: string;
  readonly factor: number;
  readonly offset: number;
  /** How values of days are shown, where windows hold something else, such as the number of some days. */
  readonly days?: Shown;
}

/** How values in a unit are shown in the unit of the reader's choice; unchanged where that is not one for them. */
export function shownUnit(units: string | undefined, choice: Readonly<Record<string, string>>): Shown {
  const own = { factor: 1, offset: 0 };
  if (units === undefined) return { units: '', label: '', ...own };
  const [first, ...others] = unitChoices(units);
  const chosen = Object.hasOwn(choice, units) ? others.find((other) => other.units === choice[units]) : undefined;
  const conversion = chosen && unitConversion(units, chosen.units);
  return chosen === undefined || conversion === undefined
    ? { ...first, ...own }
    : { ...chosen, factor: conversion.factor, offset: conversion.offset };
}

/** How the values of windows are shown where the values of days are shown in a unit. */
export function shownWindows(days: Shown, hold: WindowValue | undefined): Shown {
  // Differences have no offset.
  if (hold === 'range') return { ...days, offset: 0 };
  if (typeof hold !== 'object') return days;
  const [first, ...rest] = hold.units.split(' ');
  if (first !== '*')
    return { units: hold.units, label: hold.units === '1' ? '' : hold.units, factor: 1, offset: 0, days };
  const withRest = (units: string) => [units, ...rest].filter(Boolean).join(' ');
  return { units: withRest(days.units), label: withRest(days.label), factor: days.factor, offset: 0, days };
}

/** The limit of a measure such as `spells <1 of 5 d`. */
const LIMIT = /([<>]=?)(\S+)/;

/** What windows hold as it is shown, with the limit in the shown unit: `days >68 °F`. */
export function shownHold(hold: string | undefined, { days }: Shown): string | undefined {
  if (days === undefined) return hold;
  const unit = days.label === '' ? '' : ` ${days.label}`;
  return hold?.replace(LIMIT, (_, operator, limit) => `${operator}${shownLimit(Number(limit), days)}${unit}`);
}

/** A value of the data as it is shown. */
export function toShown({ factor, offset }: Shown, value: number): number {
  return value * factor + offset;
}

/** A threshold as it is shown: without the digits that conversions of units add. */
export function shownLimit(limit: number, shown: Shown): number {
  return Number(toShown(shown, limit).toPrecision(5));
}

/** A shown value in the unit of the data, with as many digits as anyone enters. */
export function fromShown({ factor, offset }: Shown, value: number): number {
  return factor === 1 && offset === 0 ? value : Number(((value - offset) / factor).toPrecision(6));
}

/** The number of decimals with which values of a variable are shown in a unit. */
export function shownDecimals(variable: string | undefined, { factor }: Shown): number {
  const own = variables.find(({ slug }) => slug === variable)?.decimals ?? 2;
  return Math.max(0, own - Math.round(Math.log10(factor)));
}
