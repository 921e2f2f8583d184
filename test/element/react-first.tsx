/** @jsxImportSource react */

import { tableFromIPC } from 'apache-arrow';
import { definePlumeChart, type PlumeChart } from 'plumecast/element';
import { useState } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server.browser';

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'late-chart': React.DetailedHTMLProps<React.HTMLAttributes<PlumeChart>, PlumeChart> &
        Partial<Pick<PlumeChart, 'table' | 'src' | 'headers'>>;
    }
  }
}

const table = tableFromIPC(new Uint8Array(await (await fetch('results.arrow')).arrayBuffer()));
const src = '/v2/forecast/statistics?lat=37.3&lon=-80&var=temp_mean';
const headers = { 'X-Api-Key': 'a key' };

definePlumeChart();

function Page() {
  const [said, setSaid] = useState<readonly string[]>([]);
  const add = (text: string) => setSaid((before) => [...before, text]);
  return (
    <>
      <output>{said.join()}</output>
      <plume-chart table={table} onplume-load={({ detail }) => add(`${detail.windows} of a table`)} />
      <plume-chart src={src} headers={headers} onplume-load={({ detail }) => add(`${detail.windows} with a key`)} />
      <late-chart table={table} />
    </>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(<Page />);
setTimeout(() => definePlumeChart('late-chart'), 100);

/** A page that a server rendered: React takes over the elements, and sets no properties. */
function Hydrated() {
  const give = (chart: PlumeChart | null) => {
    if (chart !== null) Object.assign(chart, { table });
  };
  return <plume-chart ref={give} />;
}

const section = document.createElement('section');
section.innerHTML = renderToString(<Hydrated />);
document.body.append(section);
hydrateRoot(section, <Hydrated />);
