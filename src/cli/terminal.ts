import pc from 'picocolors';

/** Whether to colour what goes to a stream: on a terminal, unless NO_COLOR says otherwise. */
export function colours(stream: { isTTY?: boolean }): boolean {
  return stream.isTTY === true && pc.isColorSupported;
}
