/** @jsxImportSource react */

import { type Table, tableFromIPC } from 'apache-arrow';
import { definePlumeChart, type PlumeChart } from 'plumecast/element';
import { useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'plume-chart': React.DetailedHTMLProps<React.HTMLAttributes<PlumeChart>, PlumeChart> & {
        table?: Table;
        src?: string;
        headers?: PlumeChart['headers'];
        theme?: string;
        variable?: string;
        'onplume-load'?: (event: CustomEvent) => void;
        'onplume-select'?: (event: CustomEvent) => void;
      };
    }
  }
}

function Page() {
  const [table, setTable] = useState<Table>();
  const [said, setSaid] = useState('');
  const [isShown, setShown] = useState(true);
  const chart = useRef<PlumeChart>(null);
  useEffect(() => {
    definePlumeChart();
    fetch('results.arrow')
      .then((answer) => answer.arrayBuffer())
      .then((bytes) => setTable(tableFromIPC(new Uint8Array(bytes))));
  }, []);
  return (
    <>
      <button type="button" onClick={() => setShown(!isShown)}>
        toggle
      </button>
      <output>{said}</output>
      {isShown && (
        <plume-chart
          ref={chart}
          table={table}
          theme="light"
          onplume-load={({ detail }) => setSaid(`${detail.windows} windows`)}
          onplume-select={({ detail }) => setSaid(detail.text)}
        />
      )}
    </>
  );
}

createRoot(document.getElementById('root') as HTMLElement).render(<Page />);
