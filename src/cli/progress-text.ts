import { formatBytes } from '../batch/byte-count.js';

/** `0:05`, `12:40`, `3:02:11` */
export function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const padded = (number: number) => String(number).padStart(2, '0');
  return `${hours > 0 ? `${hours}:${padded(minutes)}` : minutes}:${padded(seconds % 60)}`;
}

/** Describes how much of some work is done, and how long the rest takes: `0:05 left`; undefined where that is not known. */
export function timeLeft(share: number, milliseconds: number): string | undefined {
  return share > 0 && share < 1 ? `${duration((milliseconds * (1 - share)) / share)} left` : undefined;
}

/** Describes the progress of values, each of four bytes, since `started`: `42 %, 310 MB/s, 0:05 left`. */
export function progressOfValues({ done, total = 0 }: { done: number; total?: number }, started: number): string {
  const milliseconds = Math.max(1, Date.now() - started);
  const share = total > 0 ? done / total : 0;
  const rate = `${formatBytes((1000 * done * Float32Array.BYTES_PER_ELEMENT) / milliseconds)}/s`;
  return [`${Math.floor(share * 100)} %`, rate, timeLeft(share, milliseconds)].filter(Boolean).join(', ');
}
