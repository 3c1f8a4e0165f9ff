// Sweeps the documents that its parent sends, one at a time, and sends the result of each.

import type { Task } from './sweep-all.ts';
import { sweepDocument } from './sweep-document.ts';

process.on('message', async ({ document, seconds }: Task) => {
  process.send?.(await sweepDocument(document, seconds));
});
process.on('disconnect', () => process.exit(0));
