import { useEffect, useRef, useState } from 'preact/hooks';
import type { Point } from '../ensemble/nearest-place.js';
import type { Granularity } from '../period/period.js';
import type { OpenSource } from './data/open-source.js';
import type { SkillOfWindows } from './data/window-skill.js';

type SkillByVariable = ReadonlyMap<string, SkillOfWindows>;

/**
 * Asks a source how good its forecasts of variables were, each once; charts are there before the answer is. Without a
 * granularity, as of seasons, there is no answer.
 */
export function useSkill(
  source: OpenSource | undefined,
  variables: readonly string[],
  granularity: Granularity | undefined,
  point: Point | undefined,
): SkillByVariable {
  const [skill, setSkill] = useState<{ readonly of: string; readonly known: SkillByVariable }>();
  const requested = useRef(new WeakMap<OpenSource, Map<string, Promise<SkillOfWindows | undefined>>>());
  const wanted = JSON.stringify([point?.latitude, point?.longitude, granularity, variables]);
  useEffect(() => {
    if (source?.skill === undefined || granularity === undefined) return setSkill(undefined);
    const { skill: ask } = source;
    const answers = requested.current.get(source) ?? new Map<string, Promise<SkillOfWindows | undefined>>();
    requested.current.set(source, answers);
    let isCurrent = true;
    const all = variables.map(async (variable) => {
      const key = JSON.stringify([variable, point?.latitude, point?.longitude, granularity]);
      const answer = answers.get(key) ?? ask(variable, granularity, point).catch(() => undefined);
      answers.set(key, answer);
      const own = await answer;
      return own === undefined ? [] : ([[variable, own]] as const);
    });
    void Promise.all(all).then((entries) => isCurrent && setSkill({ of: wanted, known: new Map(entries.flat()) }));
    return () => {
      isCurrent = false;
    };
  }, [source, wanted]);
  // Of another place or other windows, it is not shown.
  return skill?.of === wanted && source?.skill !== undefined ? skill.known : NOTHING;
}

const NOTHING: SkillByVariable = new Map();
