import type { Octets } from '../octets.js';
import type { Product } from './product.js';

/** Which member a field belongs to, or what was computed from all; and of monthly values their month and type. */
interface Ensemble extends Pick<Product, 'member' | 'derived'> {
  /** `yyyymm`. */
  readonly month: number | undefined;
  /** The type of field in the words of ECMWF; 0 where there is none. */
  readonly type: number;
}

const NCEP = 7;
const NONE: Ensemble = { member: undefined, derived: undefined, month: undefined, type: 0 };

/** Types of fields in ECMWF's local use: control and perturbed forecast, mean and standard deviation of an ensemble. */
const [CONTROL, PERTURBED, MEAN, SPREAD] = [10, 11, 17, 18];
/** Kinds of members, code table 4.6 of edition 2. */
const [CONTROL_MEMBER, PERTURBED_MEMBER] = [1, 3];
/** Of all members, code table 4.7 of edition 2. */
const DERIVED: Readonly<Record<number, number>> = { [MEAN]: 0, [SPREAD]: 4 };

/**
 * Local definitions of ECMWF whose numbers of members have two octets, of seasonal forecasts: all fields are members.
 */
const SEASONAL = [12, 15, 16, 23];
/** Those that have a month, in octets 56 to 59. */
const MONTHLY = [12, 16, 23];
/** Those with a number in octet 50, and the number of members in octet 51. */
const NUMBERED = [1, 13, 14, 17, 18, 19, 26, 27, 28, 30, 31, 36, 37, 40];
const CLUSTERS = 2;
const PROBABILITIES = 5;

/** Kinds of ensemble products of NCEP (octet 42), and what was computed from all members (octet 44). */
const NCEP_MEMBERS = [1, 2, 3];
const NCEP_DERIVED: Readonly<Record<number, number>> = { 1: 0, 2: 1, 11: 2, 12: 3 };

/**
 * Reads the local use of section 1: the local definitions of ECMWF, and the ensemble extension of NCEP. Says in a few
 * words why a field is not read.
 */
export function ensembleOf(section: Octets, isEcmwf: boolean): Ensemble | string {
  if (section.length <= 40) return NONE;
  if (isEcmwf) return ecmwfEnsemble(section);
  const isNcep = section.unsigned(5) === NCEP && section.length >= 44 && section.unsigned(41) === 1;
  return isNcep ? ncepEnsemble(section) : NONE;
}

function ecmwfEnsemble(section: Octets): Ensemble | string {
  const definition = section.unsigned(41);
  if (definition === CLUSTERS) return 'means of clusters of members';
  if (definition === PROBABILITIES) return 'probabilities';
  const isSeasonal = SEASONAL.includes(definition);
  if (!isSeasonal && !NUMBERED.includes(definition)) return NONE;
  const type = section.unsigned(43);
  const [number, size] = isSeasonal ? [section.unsigned(50, 2), 0] : [section.unsigned(50), section.unsigned(51)];
  const isMember = isSeasonal || number > 0 || size > 0 || type === CONTROL || type === PERTURBED;
  const derived: number | undefined = DERIVED[type];
  const kind = type === CONTROL ? CONTROL_MEMBER : PERTURBED_MEMBER;
  return {
    ...{ type, derived },
    member: isMember && derived === undefined ? { type: kind, number } : undefined,
    month: MONTHLY.includes(definition) ? section.unsigned(56, 4) : undefined,
  };
}

function ncepEnsemble(section: Octets): Ensemble | string {
  const [type, number, product] = [section.unsigned(42), section.unsigned(43), section.unsigned(44)];
  if (section.length >= 47 && section.unsigned(46) !== 0 && section.unsigned(47) !== 0) return 'probabilities';
  // Control forecasts are numbered by their resolution: 1 is the high one.
  if (NCEP_MEMBERS.includes(type)) {
    const member = type === 1 ? { type: number > 1 ? 1 : 0, number: 0 } : { type, number };
    return { ...NONE, member };
  }
  const derived = type === 5 ? NCEP_DERIVED[product] : undefined;
  return derived === undefined ? 'means of clusters of members' : { ...NONE, derived };
}
