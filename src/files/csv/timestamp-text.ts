import { TimeUnit } from 'apache-arrow';

const PER_SECOND = {
  [TimeUnit.SECOND]: 1n,
  [TimeUnit.MILLISECOND]: 1_000n,
  [TimeUnit.MICROSECOND]: 1_000_000n,
  [TimeUnit.NANOSECOND]: 1_000_000_000n,
};

/** An Arrow timestamp as ISO 8601 in UTC, `2024-02-29T06:00:00Z`, with as many decimals of a second as it needs. */
export function timestampText(value: bigint, unit: TimeUnit): string {
  const perSecond = PER_SECOND[unit];
  const fraction = ((value % perSecond) + perSecond) % perSecond;
  const seconds = (value - fraction) / perSecond;
  const decimals =
    perSecond === 1n
      ? ''
      : String(fraction + perSecond)
          .slice(1)
          .replace(/0+$/, '');
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, -5)}${decimals && `.${decimals}`}Z`;
}
