import { describe, expect, it } from 'vitest';
import { plumecast } from './run-command.js';

describe('help', () => {
  for (const args of [[], ['stats'], ['blend'], ['climatology'], ['demo']].map((command) => [...command, '--help'])) {
    it(`plumecast ${args.join(' ')} is as printed here, with exit code 0`, () => {
      const { code, out, err } = plumecast(args);
      expect([code, err]).toEqual([0, '']);
      expect(out).toMatchSnapshot();
    });
  }
});
