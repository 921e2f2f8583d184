import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, uptime } from 'node:os';

/** What identifies a process, even if another one gets its number later, or has it in another container. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Undefined if a lock names only the number. */
  readonly host: string | undefined;
  /**
   * When it started, in clock ticks since the machine started. This and the next two are known only where there is
   * /proc.
   */
  readonly start?: string;
  /** The id of this start of the machine. */
  readonly boot?: string;
  /** The namespace of the process number: each container counts its processes from 1. */
  readonly namespace?: string;
}

/** The processes that this one can see. */
export interface ProcessTable {
  readonly self: ProcessIdentity;
  /** When a running process started; undefined if none has that number, or it has ended and waits for its parent. */
  find(pid: number): StartTime | undefined;
}

export interface StartTime {
  /** As in `ProcessIdentity`. */
  readonly start?: string;
  /** Milliseconds since 1970; the start of the machine if that of the process is not known. */
  readonly time: number;
}

/** Whether a process runs. A process of another machine or container is out of sight. */
export type ProcessState = 'running' | 'gone' | 'out of sight';

/** Clock ticks of /proc, in milliseconds: the same on every Linux. */
const TICK_MS = 10;
/** Clocks of file systems and processes differ by less than this. */
const CLOCK_MARGIN_MS = 2000;

/** The process table of this machine. */
export const systemProcesses: ProcessTable = {
  get self() {
    return {
      pid: process.pid,
      // Without blanks, as a lock is a line of words.
      host: hostname().replaceAll(/\s/g, '_'),
      start: statOf('self')?.start,
      boot: readText('/proc/sys/kernel/random/boot_id'),
      namespace: namespace(),
    };
  },
  find(pid) {
    if (!hasProcess(pid)) return undefined;
    const stat = statOf(pid);
    if (stat === undefined) return { time: bootTime() };
    if (stat.hasEnded) return undefined;
    return { start: stat.start, time: bootTime() + Number(stat.start) * TICK_MS };
  },
};

/**
 * Whether the process that wrote its name to a file at `writtenAt`, in milliseconds since 1970, still runs. It has
 * ended if the process with its number now has another start time or started after the file was written, or if the
 * machine was started again.
 */
export function processState(holder: ProcessIdentity, writtenAt: number, { self, find }: ProcessTable): ProcessState {
  const isHost = holder.host === undefined || holder.host === self.host;
  const boots = holder.boot !== undefined && self.boot !== undefined;
  if (boots && holder.boot !== self.boot) return isHost ? 'gone' : 'out of sight';
  if (!boots && !isHost) return 'out of sight';
  if (boots && holder.namespace !== self.namespace) return 'out of sight';
  const found = find(holder.pid);
  if (found === undefined) return 'gone';
  if (holder.start !== undefined && found.start !== undefined) return holder.start === found.start ? 'running' : 'gone';
  return found.time > writtenAt + CLOCK_MARGIN_MS ? 'gone' : 'running';
}

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Two fields of /proc/PID/stat, which come after the name in brackets. */
function statOf(pid: number | 'self'): { start: string; hasEnded: boolean } | undefined {
  const text = readText(`/proc/${pid}/stat`);
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, start] = [fields?.[0], fields?.[19]];
  return state === undefined || start === undefined ? undefined : { start, hasEnded: /[ZXx]/.test(state) };
}

function namespace(): string | undefined {
  try {
    return readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '');
  } catch {
    return undefined;
  }
}

/**
 * The uptime of a container may be shorter, and the clock of `hrtime` stops while the machine sleeps: the longer one is
 * right.
 */
function bootTime(): number {
  return Date.now() - Math.max(uptime() * 1000, Number(process.hrtime.bigint() / 1_000_000n));
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}
