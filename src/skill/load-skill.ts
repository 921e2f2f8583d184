import { loadSkillKernels, type SkillKernels } from '../core/skill-kernels.js';
import { unusable } from '../errors.js';

/** The kernels of scores, which all functions of `plumecast/skill` that compute take. Not shared by threads. */
export class Skill {
  /** @internal */
  readonly tools: SkillKernels;

  /** @internal */
  constructor(tools: SkillKernels) {
    this.tools = tools;
  }
}

/** Loads the kernels of scores. Throws CoreError where the runtime has no WebAssembly SIMD. */
export async function loadSkill(): Promise<Skill> {
  return new Skill(await loadSkillKernels());
}

/** Throws OptionError for what `loadSkill` did not return. */
export function assertSkill(skill: unknown): asserts skill is Skill {
  if (!(skill instanceof Skill)) throw unusable('skill', skill, 'what `await loadSkill()` gives');
}
