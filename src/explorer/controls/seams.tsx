import { useMemo, useState } from 'preact/hooks';
import type { Timeline } from '../../blend/blend.js';
import { seamReport } from '../../blend/seam-report.js';
import { formatDate } from '../../period/day.js';
import { numberText } from '../../plot/number-text.js';
import type { Shown } from '../view/units.js';

/** A variable with its timeline, and how it is shown. */
export interface Joined {
  readonly label: string;
  readonly timeline: Timeline;
  readonly shown: Shown;
}

/** How well the horizons of timelines fit together, which is computed when it is opened. */
export function SeamReport({ joined }: { readonly joined: readonly Joined[] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="card report" onToggle={(event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}>
      <summary>Seams: how well the horizons fit together</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by the keyboard.
        <section class="scroll" tabIndex={0} aria-label="Report of seams">
          {joined.map((each) => (
            <SeamTable key={each.label} {...each} />
          ))}
          <p class="hint">
            Jump: how much the mean of the later horizon lies above that of the earlier one. Variance ratio: above 1,
            the members of the later horizon lie further apart. Correlation: how well members keep their order from one
            day to the next, across the seam and inside the horizons; a good seam has about the same of both.
          </p>
        </section>
      )}
    </details>
  );
}

function SeamTable({ label, timeline, shown }: Joined) {
  const seams = useMemo(() => seamReport(timeline), [timeline]);
  return (
    <table class="seams">
      <caption>{label}</caption>
      <thead>
        <tr>
          {['seam', 'days', 'jump', 'variance ratio', 'correlation across', 'inside'].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {seams.map((seam) => (
          <tr key={seam.later}>
            <th scope="row">
              {seam.earlier} to {seam.later}
            </th>
            <td>
              {formatDate(seam.handOver)} to {formatDate(seam.complete)}
            </td>
            <td>
              {numberText(seam.jump * shown.factor, 2)} {shown.label}
            </td>
            <td>{numberText(seam.varianceRatio, 2)}</td>
            <td>{numberText(seam.correlationAcross, 2)}</td>
            <td>{numberText(seam.correlationInside, 2)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
