import pc from 'picocolors';
import type { PlumecastError } from '../errors.js';
import { colours } from './terminal.js';

/** Tells an error on standard error, options by the names that they have on the command line. */
export function tellError(error: PlumecastError): void {
  const { red } = pc.createColors(colours(process.stderr));
  process.stderr.write(`${red('error:')} ${inWordsOfCommand(error)}\n`);
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
  calendar: '--calendar',
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
