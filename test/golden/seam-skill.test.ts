import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isFullCheck } from '../full-check.js';
import { referenceFolder } from '../reference/data-folder.js';

const hasData = ['seas5-burrishoole-feb', 'era5-burrishoole-1979-2019'].every((name) => referenceFolder(name));

describe('docs/seam-skill.md', () => {
  it.skipIf(!isFullCheck || !hasData)(
    'has the figures of real forecasts',
    () => {
      const printed = execFileSync('npm', ['run', '--silent', 'docs:seam-skill'], { encoding: 'utf8' });
      expect(printed).toBe(readFileSync('docs/seam-skill.md', 'utf8'));
    },
    120_000,
  );
});
