import { test } from 'vitest';
import { isPlumecastError } from '../../src/errors.js';
import { readTable } from '../../src/formats/index.js';
import { fixtures } from './pyarrow-fixtures.js';
import { writeFileSync, appendFileSync } from 'node:fs';
writeFileSync('/tmp/fuzz.log','');
test('fuzz', async () => {
  for (const [k,b0] of Object.entries(fixtures)) { let ok=0,err=0,bad=0,slow=0;
    for (let i=0;i<b0.length;i+=1) for (const v of [0xff,0x01]) { const b=b0.slice(); b[i]^=v; writeFileSync('/tmp/fuzz.at',k+i+' '+v); const t0=performance.now(); try { await readTable(b); ok++; } catch(e){ if(isPlumecastError(e)) err++; else {bad++; if(bad<4) appendFileSync('/tmp/fuzz.log',k+i+String((e as Error).stack)+'\n');} } const dt=performance.now()-t0; if(dt>300){slow++; if (slow<6) appendFileSync('/tmp/fuzz.log',['slow',k,i,v,dt|0].join(' ')+'\n');} }
    appendFileSync('/tmp/fuzz.log',JSON.stringify({k,ok,err,bad,slow})+'\n'); }
}, 300000);
