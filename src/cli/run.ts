import { CommanderError } from 'commander';
import pc from 'picocolors';
import { isPlumecastError, type PlumecastError } from '../errors.js';
import { program } from './program.js';
import { colours } from './terminal.js';

/** Exit codes of the command. */
const DONE = 0;
const FAILED = 1;
const USAGE = 2;

/** Runs the command line `args` and returns its exit code; what went wrong is told on standard error. */
export async function run(args: readonly string[]): Promise<number> {
  // Whoever reads our output may stop reading: `plumecast stats FILE | head` is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? DONE);
    throw error;
  });
  try {
    await program().parseAsync(args, { from: 'user' });
    return process.exitCode === FAILED ? FAILED : DONE;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === DONE ? DONE : USAGE;
    if (!isPlumecastError(error)) throw error;
    const { red } = pc.createColors(colours(process.stderr));
    process.stderr.write(`${red('error:')} ${inWordsOfCommand(error)}\n`);
    return FAILED;
  }
}

/** Options of the library by the names that they have on the command line. */
const OPTION_NAMES: Record<string, string> = {
  startDate: '--start-date',
  endDate: '--end-date',
  minMemberShare: '--min-member-share',
  minSampleShare: '--min-sample-share',
  reference: '--reference',
  halfWidth: '--half-width',
  categories: '--categories',
  'quantile type': '--quantile-type',
  quantiles: '--quantiles',
  threshold: '--threshold',
  compression: '--compression',
  variable: '--variable',
  granularity: '--granularity',
  point: '--point',
  columns: '--columns',
  exceed: '--exceed',
  overlaps: '--overlaps',
  lastLeads: '--last-leads',
  names: '--names',
  initTime: '--init-time',
  nextInitTime: '--next-run',
  pairBy: '--pair-by',
  initDate: '--date',
  basePath: '--base-path',
  out: '--out',
  variables: '--variable',
  granularities: '--granularity',
  thresholds: '--threshold',
  climatologies: '--climatology',
  name: '--name',
  workers: '--workers',
  memory: '--memory',
};

function inWordsOfCommand({ tag, subject, message }: PlumecastError): string {
  const name = tag === 'option' ? OPTION_NAMES[subject] : undefined;
  const text = name === undefined ? message : `${name}${message.slice(subject.length)}`;
  return text.replace(/\b(overwrite|resume): true\b/g, '--$1');
}
