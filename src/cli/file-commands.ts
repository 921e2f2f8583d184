import type { Command } from 'commander';
import { climatologyCommand } from './climatology-command.js';
import { convertCommand } from './convert-command.js';
import { inspectCommand } from './inspect-command.js';
import { verifyCommand } from './verify-command.js';

/** The commands that only work on files, and have no bundle of their own. */
export function fileCommands(): Command[] {
  return [climatologyCommand(), convertCommand(), verifyCommand(), inspectCommand()];
}
