// Sweeps the documents that its parent sends, one at a time, and sends the result of each.

import { examineDocument } from './examine-document.ts';
import type { Task } from './sweep-all.ts';
import { sweepDocument } from './sweep-document.ts';

process.on('message', async ({ document, limits, isExamined }: Task) => {
  const swept = await sweepDocument(document, limits);
  const isThere = swept.refused === undefined && swept.fault === undefined;
  if (isExamined && isThere) {
    const examined = await examineDocument(document, limits.seconds);
    process.send?.({ ...swept, examined });
  } else process.send?.(swept);
});
process.on('disconnect', () => process.exit(0));
