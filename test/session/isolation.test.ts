import test from 'ava';
import { createMock } from '../../src/assemble/mock.ts';
import { registerIsolation } from '../support/isolation.ts';

registerIsolation(
  test,
  async (t, options) => {
    const mock = await createMock(options);
    t.teardown(() => mock.close());
    const { port } = await mock.listen({ port: 0 });
    return port;
  },
  20,
);
