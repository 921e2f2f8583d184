import type { Command } from 'commander';
import { batchCommand } from './batch-command.js';
import { blendCommand } from './blend-command.js';
import { climatologyCommand } from './climatology-command.js';
import { convertCommand } from './convert-command.js';
import { inspectCommand } from './inspect-command.js';
import { mergeCommand } from './merge-command.js';
import { statsCommand } from './stats-command.js';
import { verifyCommand } from './verify-command.js';

/** The commands that only work on files, which `main.ts` names. */
export function fileCommands(): Command[] {
  return [
    statsCommand(),
    batchCommand(),
    mergeCommand(),
    blendCommand(),
    climatologyCommand(),
    convertCommand(),
    verifyCommand(),
    inspectCommand(),
  ];
}
