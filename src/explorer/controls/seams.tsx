import type { Timeline } from '../../blend/blend.js';
import { seamReport } from '../../blend/seam-report.js';
import { formatDate } from '../../period/day.js';
import { numberText } from '../chart/explain.js';
import type { Shown } from '../view/units.js';

/** How well the horizons of a timeline fit together. */
export function SeamTable(props: { readonly label: string; readonly timeline: Timeline; readonly shown: Shown }) {
  const { label, timeline, shown } = props;
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
        {seamReport(timeline).map((seam) => (
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
