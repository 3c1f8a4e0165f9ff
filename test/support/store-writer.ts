// Writes to the stores of a file until it is done or killed, and notes each create that it was told
// is made, one a line: `node --import=tsx store-writer.ts <path> <notes> <prefix> <count>`.

import { openSync, writeSync } from 'node:fs';
import { FileStores } from '../../src/state/file-stores.ts';

const CONCURRENCY = 50;

async function main([path = '', notes = '', prefix = '', count = '0']: string[]): Promise<void> {
  const file = openSync(notes, 'a');
  const stores = new FileStores(path, { timeout: 5000 });
  const store = await stores.open('default');
  let next = 0;
  const write = async (): Promise<void> => {
    while (next < Number(count)) {
      const key = `${prefix}${next++}`;
      const number = await store.nextNumber('plants');
      const made = await store.commit([
        { collection: 'plants', key, expected: 'absent', resource: { key, number } },
        { collection: 'copies', key, expected: 'absent', resource: { key } },
      ]);
      // At once, because buffered data is lost with the process.
      if (made !== undefined) writeSync(file, `${key} ${number}\n`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, write));
  await stores.close();
}

await main(process.argv.slice(2));
