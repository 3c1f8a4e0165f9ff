// A process of its own for the built mock: it may hang or die without taking the judge along.

import { createMock } from 'coldframe';

const [document = ''] = process.argv.slice(2);
try {
  const mock = await createMock({ document, bodyLimit: 10_000_000 });
  const { port } = await mock.listen({ port: 0, host: '127.0.0.1' });
  process.send?.({ port });
} catch (error) {
  process.send?.({ refused: error instanceof Error ? error.message : String(error) });
}
process.on('disconnect', () => process.exit(0));
