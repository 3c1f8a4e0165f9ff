import { test as base, expect } from '@playwright/test';
import { connect, createMock } from 'coldframe';
import type { PlantStore } from '../plant-store.d.ts';

/** The page under test: a form that creates a plant and shows the result. */
const page = (url: string) => `<!doctype html>
<form>
  <input name="name" aria-label="Name">
  <button>Add</button>
  <output></output>
</form>
<script>
  document.querySelector('form').onsubmit = async (event) => {
    event.preventDefault();
    const name = new FormData(event.target).get('name');
    const say = (text) => { document.querySelector('output').textContent = text; };
    try {
      const response = await fetch(${JSON.stringify(url)} + '/plants', {
        method: 'POST',
        headers: { Authorization: 'Bearer token', 'Content-Type': 'application/json' },
        body: JSON.stringify({ id: 2, name }),
      });
      const answer = await response.json();
      say(response.ok ? 'Added ' + answer.name : answer.message);
    } catch {
      say('The store cannot be reached');
    }
  };
</script>`;

type Session = ReturnType<ReturnType<typeof connect<PlantStore>>['session']>;

const test = base.extend<{ session: Session }, { url: string }>({
  // One mock for each worker. It could also run in a container.
  url: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from here.
    async ({}, use) => {
      const mock = await createMock();
      await use((await mock.listen({ port: 0 })).url);
      await mock.close();
    },
    { scope: 'worker' },
  ],
  session: async ({ url }, use) => {
    const session = connect<PlantStore>(url).session();
    await use(session);
    await session.close();
  },
});

test('a plant is added', async ({ page: tab, session }) => {
  await tab.setContent(page(session.url));
  await tab.getByLabel('Name').fill('Fern');
  await tab.getByRole('button').click();
  await expect(tab.getByRole('status')).toHaveText('Added Fern');
  expect(await session.state.plants.all()).toEqual([{ id: 2, name: 'Fern' }]);
});

test('the page shows that the store is unavailable', async ({ page: tab, session }) => {
  await session.createPlant.failNext(503);
  await tab.setContent(page(session.url));
  await tab.getByRole('button').click();
  await expect(tab.getByRole('status')).toHaveText(/unavailable/);
});

test('the page shows that the store cannot be reached', async ({ page: tab, session }) => {
  // A browser retries a request once on a new connection.
  await session.createPlant.breakNext('CONNECTION_RESET_BY_PEER', { times: 2 });
  await tab.setContent(page(session.url));
  await tab.getByRole('button').click();
  await expect(tab.getByRole('status')).toHaveText('The store cannot be reached');
});
