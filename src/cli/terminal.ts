import pc from 'picocolors';

/** Whether to use colours on a stream: on a terminal, unless NO_COLOR is set. */
export function colours(stream: { isTTY?: boolean }): boolean {
  return stream.isTTY === true && pc.isColorSupported;
}
