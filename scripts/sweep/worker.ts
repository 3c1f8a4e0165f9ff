// Sweeps one document in a process of its own, and sends what came of it to the parent.

import { sweepDocument } from './sweep-document.ts';

const [document = '', seconds = '120'] = process.argv.slice(2);
const result = await sweepDocument(document, Number(seconds));
process.send?.(result, () => process.exit(0));
