import { Option } from 'commander';
import type { Stamps } from '../period/daily-steps.js';

/** What a command is told of the values of files. */
export interface ValueOptions {
  units?: string;
  stamps?: Stamps;
}

const STAMPS: readonly Stamps[] = ['start', 'end'];

/** `--units` */
export function unitsOption(): Option {
  return new Option('--units <units>', 'units of the values where the file does not state them: K, "kg m-2 s-1"');
}

/** `--stamps` */
export function stampsOption(): Option {
  return new Option('--stamps <which>', 'what times within the day mark of their step (default: start)').choices(
    STAMPS,
  );
}
