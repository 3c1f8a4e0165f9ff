/**
 * The client under test: it creates a plant, and retries while the store is unavailable.
 *
 * @param {object} plant the plant
 * @param {{ url?: string, fetch?: typeof globalThis.fetch }} options how to reach the store
 */
export async function addPlant(plant, { url = '', fetch = globalThis.fetch }) {
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(`${url}/plants`, {
      method: 'POST',
      headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
      body: JSON.stringify(plant),
    });
    const answer = await response.json();
    if (response.ok) return answer;
    if (answer.error !== 503 || attempt === 3) throw new Error(answer.message);
  }
}
