import { mentionOption, OptionError } from '../../errors.js';
import { type RateName, rateName } from '../../variable/rate-names.js';
import { type UnitConversion, unitConversion } from '../../variable/unit-conversion.js';
import { unitsAgree } from '../../variable/units-agree.js';
import type { Variable } from '../../variable/variable.js';
import type { StepTable } from './step-table.js';

/** What the caller states about the units of values. */
export interface UnitsOption {
  readonly units?: string;
  readonly source?: string;
}

/** How values become those of a variable, and notes on it. */
export interface StepConversion {
  readonly conversion: UnitConversion;
  readonly notes: readonly string[];
}

/** The units that the table states, else the given ones. Throws OptionError if the two contradict each other. */
export function resolveUnits(
  { units: stated }: Pick<StepTable, 'units'>,
  { units: given, source }: UnitsOption,
): string | undefined {
  if (given !== undefined && stated !== undefined && !unitsAgree(given, stated)) {
    throw new OptionError({
      subject: subjectOf(source),
      problem: 'not those that the table states',
      received: given,
      allowed: `${stated}, or no units`,
    });
  }
  return stated ?? given;
}

/**
 * How values of time steps become values of their variable. Throws OptionError if their units are not stated, unless
 * they have the CF standard name of a flux, and if they cannot be converted.
 */
export function resolveStepUnits(plan: StepTable, variable: Variable, options: UnitsOption): StepConversion {
  const units = resolveUnits(plan, options);
  const flux = units === undefined ? rateName(plan.names, variable.slug) : undefined;
  const from = units ?? flux?.units;
  if (from === undefined) throw unstated(plan, variable, options.source);
  const conversion = conversionTo(variable, from, options.source);
  const notes = flux === undefined ? [] : [rateNote(flux)];
  return { conversion, notes: conversion.text === undefined ? notes : [...notes, conversion.text] };
}

/**
 * The units of daily values: those that the table states, the given ones, or those of the name of a rate. Undefined if
 * none of these is known. Throws an OptionError for a rate whose name leaves its units open.
 */
export function resolveDayUnits(plan: StepTable, options: UnitsOption): { units: string | undefined; notes: string[] } {
  const units = resolveUnits(plan, options);
  const rate = units === undefined && plan.variable ? rateName(plan.names, plan.variable.slug) : undefined;
  if (rate === undefined) return { units, notes: [] };
  if (rate.units !== undefined) return { units: rate.units, notes: [rateNote(rate)] };
  throw new OptionError({
    subject: subjectOf(options.source),
    problem: 'not stated, for values that are rates by their name',
    received: rate.name,
    allowed: 'a column named units, or the option units, such as "kg m-2 s-1" or "m s-1"',
  });
}

function rateNote({ name, units }: RateName): string {
  return `${name}, without units, taken as ${units}`;
}

/** The conversion of units to those of a variable. Throws OptionError if there is none. */
export function conversionTo({ slug, units: aim }: Variable, units: string, source?: string): UnitConversion {
  const conversion = unitConversion(units, aim);
  if (conversion !== undefined) return conversion;
  throw new OptionError({
    subject: source === undefined ? 'the units' : `${source}, the units`,
    problem: `cannot be converted to those of ${slug}`,
    received: units,
    allowed: `${aim}, or units of the same kind`,
  });
}

function unstated({ names }: StepTable, { slug, units }: Variable, source?: string): OptionError {
  return new OptionError({
    subject: subjectOf(source),
    problem: 'not given, and values of several times a day may be in any',
    ...(names.length > 0 && { received: names.join(', ') }),
    allowed: `a column named units, or ${mentionOption('units', EXAMPLES[units] ?? units)}, for instance, for ${slug}`,
  });
}

/** Units that values of steps often have, by those of the variable. */
const EXAMPLES: Readonly<Record<string, string>> = {
  degC: 'K',
  mm: 'mm',
  '%': '1',
  'MJ m-2 d-1': 'W m-2',
};

function subjectOf(source?: string): string {
  return source === undefined ? 'units' : `${source}, units`;
}
