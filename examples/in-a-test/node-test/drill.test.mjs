import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createMock } from 'coldframe';
import { addPlant } from '../plant-client.mjs';

const fern = { id: 2, name: 'Fern' };

const mock = await createMock();
after(() => mock.close());

for (const failure of mock.drill('fail-first-two', 'maintenance', 'mobile-3g')) {
  test(failure.title, async () => {
    const session = await failure.session();
    const added = addPlant(fern, { fetch: session.fetch });
    if (failure.isLasting) await assert.rejects(added, /unavailable/);
    else assert.deepEqual(await added, { name: 'Fern' });
    const { rules } = await session.verdict({ rules: ['attempts-bounded'] });
    for (const { result, reason } of rules) assert.notEqual(result, 'broken', reason);
  });
}
