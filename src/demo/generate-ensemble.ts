import { assertKind } from '../check/option-checks.js';
import { checkInteger, checkMembers, checkPoint, checkSpan, MAX_MEMBERS } from './check-options.js';
import { type DemoVariable, mapVariables } from './demo-variables.js';
import { createMemberWeather, type MemberWeather } from './member-weather.js';
import { createSharedWeather, type WeatherOrigin } from './shared-weather.js';

/** The place and the days of the weather of one location. */
export interface MemberOptions {
  /** An integer from 0 to 2^32 - 1. Default 1. */
  seed?: number;
  /** Degrees north, -90 to 90. */
  latitude: number;
  /** Degrees east, -180 to 360; equal modulo 360 means the same place. */
  longitude: number;
  /** The first day, in days since 1970-01-01. */
  initDate: number;
  days: number;
}

/** The options of an ensemble: those of its members, and their number. */
export interface EnsembleOptions extends MemberOptions {
  /** Number of members, 1 to 10,000. */
  members: number;
}

/** An ensemble at one location: for each variable one array a member, one value a day, lead 0 first. */
export type DemoEnsemble = Record<DemoVariable, Float32Array[]>;

/**
 * Makes an ensemble forecast at one location by a stochastic weather generator of Richardson's (1981) type: a Markov
 * chain of wet and dry days with gamma amounts, and autoregressive temperature, sunshine, humidity and wind.
 *
 * Members start from one analysed state; their spread grows with lead time to the climate's within three weeks. A
 * member depends on seed, location, first day and its own index only: fewer members or days give the beginning of the
 * same ensemble. Neighbouring locations are independent of each other.
 *
 * Values have the units and decimals of the variable registry; none is missing; a wet day has at least 0.1 mm. The same
 * options give the same values in every engine: random integers are exact, and the last bit of `Math.exp`, `log` and
 * `cos`, in which engines may differ, is rounded away (except with a probability of about 1 in 10^12 for each value).
 *
 * Throws an OptionError where an option is out of range.
 * Sources: Richardson 1981, Water Resour. Res. 17, 182-190; Wilks and Wilby 1999, Prog. Phys. Geogr. 23, 329-357.
 */
export function generateEnsemble(requested: EnsembleOptions): DemoEnsemble {
  assertKind('options', requested, 'object');
  const { members, ...options } = requested;
  checkMembers(members);
  const origin = checkOrigin(options);
  const shared = createSharedWeather(origin);
  const weather = Array.from({ length: members }, (_, member) => createMemberWeather(origin, shared, member));
  return mapVariables((slug) => weather.map((one) => one[slug]));
}

/**
 * Makes a single member, `member` counted from 0: the same values as in the ensemble of the same options.
 *
 * Throws an OptionError where an option is out of range.
 */
export function generateMember(options: MemberOptions, member: number): MemberWeather {
  checkInteger('member', member, 0, MAX_MEMBERS - 1);
  assertKind('options', options, 'object');
  const origin = checkOrigin(options);
  return createMemberWeather(origin, createSharedWeather(origin), member);
}

function checkOrigin({ seed = 1, latitude, longitude, initDate, days }: MemberOptions): WeatherOrigin {
  checkInteger('seed', seed, 0, 2 ** 32 - 1);
  checkPoint({ latitude, longitude });
  checkSpan(initDate, days);
  return { seed, latitude, longitude, initDate, days };
}
