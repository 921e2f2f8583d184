import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadCore } from '../../../src/core/load.js';
import { readTable } from '../../../src/files/read-table.js';
import { readTables } from '../../../src/files/read-tables.node.js';
import { collected } from '../../input/location-tables.js';
import { hasPython, python } from '../../reference/foreign-programs.js';

const WRITE = `
import base64, sys, pyarrow as pa, pyarrow.parquet as pq, pyarrow.parquet.encryption as pe
class Keys(pe.KmsClient):
    def wrap_key(self, key, name): return base64.b64encode(key)
    def unwrap_key(self, key, name): return base64.b64decode(key)
factory, connection = pe.CryptoFactory(lambda _: Keys()), pe.KmsConnectionConfig()
t = pa.table({'day': [1, 2], 'm01': [0.5, 1.5]})
for name, how in {
    'all': {'uniform_encryption': True}, 'footer': {'column_keys': {'key': ['m01']}},
    'column': {'column_keys': {'key': ['m01']}, 'plaintext_footer': True},
}.items():
    properties = factory.file_encryption_properties(connection, pe.EncryptionConfiguration(footer_key='foot', **how))
    with pq.ParquetWriter('%s/%s.parquet' % (sys.argv[1], name), t.schema, encryption_properties=properties) as w: w.write_table(t)
`;

const folder = mkdtempSync(join(tmpdir(), 'plumecast-encrypted-'));
const hasWriter = hasPython('pyarrow._parquet_encryption');
beforeAll(() => {
  if (hasWriter) python(WRITE, { args: [folder] });
});
afterAll(() => rmSync(folder, { recursive: true }));
const remedy = 'is not read; allowed: the table without encryption, written by someone who has its keys';

describe.skipIf(!hasWriter)('Parquet that pyarrow encrypted', () => {
  test.each(['all', 'footer'])('is named where its footer is encrypted, too: %s', async (name) => {
    await expect(read(name)).rejects.toThrow(`f: is encrypted Parquet, which ${remedy}`);
  });

  test('is named by its column where the footer is not', async () => {
    await expect(read('column')).rejects.toThrow(`f, column m01: is encrypted Parquet, which ${remedy}`);
  });

  test('gives its other columns', async () => {
    const core = await loadCore();
    const tables = await collected(readTables(core, join(folder, 'column.parquet'), { columns: ['day'] }));
    expect(tables.flatMap((table) => table.toArray().map((row) => ({ ...row })))).toEqual([{ day: 1n }, { day: 2n }]);
  });
});

function read(name: string) {
  return readTable(new Uint8Array(readFileSync(join(folder, `${name}.parquet`))), { source: 'f' });
}
