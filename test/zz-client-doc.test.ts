import test from 'ava';
import { type Clock, createMock, systemClock } from '../src/index.ts';

test('the client waits for a slow answer', async (t) => {
  const waits: number[] = [];
  const clock: Clock = {
    ...systemClock,
    sleep: async (milliseconds) => {
      waits.push(milliseconds);
    },
  };
  const mock = await createMock({ fixture: ['slow'], clock });
  const response = await mock.fetch('/plants', {
    method: 'POST',
    headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
    body: JSON.stringify({ id: 2, name: 'Fern' }),
  });
  t.is(response.status, 200);
  t.deepEqual(waits, [2000]);
});
