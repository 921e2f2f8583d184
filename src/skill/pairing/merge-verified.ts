import { FormatError, OptionError } from '../../errors.js';
import type { Skill } from '../load-skill.js';
import { readVerification, type StateAbout, stateJson, type VerificationState } from '../state.js';
import type { Verification } from '../verification.js';
import { ScoredWindows } from './scored-windows.js';

/** A verification, what it is of, and its name in messages. */
export interface NamedVerification {
  readonly verification: Verification;
  readonly about: StateAbout;
  readonly source: string;
}

/** Reads a state that `plumecast verify` wrote. Throws FormatError for what is none. */
export function readVerified(skill: Skill, text: string, source: string): NamedVerification {
  let state: VerificationState;
  try {
    state = JSON.parse(text);
  } catch (cause) {
    throw new FormatError({
      subject: source,
      problem: 'is no complete JSON',
      allowed: 'a state of a verification',
      cause,
    });
  }
  const verification = readVerification(skill, state, source);
  const about = Object(state.about) as StateAbout;
  ScoredWindows.read(about.scored, source);
  return { verification, about, source };
}

/** The state of a verification as text. */
export function stateText({ verification, about }: Pick<NamedVerification, 'verification' | 'about'>): string {
  return `${stateJson(verification, about)}\n`;
}

/**
 * Adds all verifications to the first of them. Throws OptionError where they are of other values, or made in other ways, and
 * DataError where a case would count twice.
 */
export function mergeVerified([first, ...others]: readonly NamedVerification[]): NamedVerification {
  const { verification, source } = first;
  const scored = ScoredWindows.read(first.about.scored, source);
  for (const other of others) {
    assertSameAbout(first, other);
    scored.merge(ScoredWindows.read(other.about.scored, other.source), other.source);
    verification.merge(other.verification);
  }
  return { verification, source, about: { ...first.about, scored: scored.texts() } };
}

/**
 * Adds what was computed for a state, without the windows that it has, to it. Throws OptionError where it was made in another
 * way.
 */
export function addVerified(before: NamedVerification, computed: NamedVerification): NamedVerification {
  assertSameAbout(before, computed);
  before.verification.merge(computed.verification);
  return { ...before, about: computed.about };
}

/** Throws OptionError where two verifications differ in what they are of. */
function assertSameAbout(
  { about, source }: Pick<NamedVerification, 'about' | 'source'>,
  other: Pick<NamedVerification, 'about' | 'source'>,
): void {
  for (const key of new Set([...Object.keys(about), ...Object.keys(other.about)])) {
    const [own, theirs] = [about, other.about].map((each) => String(each[key] ?? 'none'));
    if (key === 'scored' || own === theirs) continue;
    throw new OptionError({
      subject: other.source,
      problem: `has another ${key} than ${source}`,
      received: theirs,
      allowed: own,
    });
  }
}
