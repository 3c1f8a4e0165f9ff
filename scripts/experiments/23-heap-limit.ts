import { createPlant, plantRequest, readIds } from './plants.ts';
import { conduct } from './support.ts';

const HEAP_MEGABYTES = 96;
const BODIES = 200;
const AT_ONCE = 32;
const NAME = 'n'.repeat(1024 * 1024 - 100);

await conduct('23: many large bodies and a small heap', async (trial) => {
  const { program, url } = await trial.startMock([], {
    nodeFlags: [`--max-old-space-size=${HEAP_MEGABYTES}`],
  });
  const answers = new Map<string, number>();
  let largest = 0;
  let next = 1;
  const send = async (): Promise<void> => {
    while (next <= BODIES && program.isRunning) {
      const outcome = await create(url, next++);
      answers.set(outcome, (answers.get(outcome) ?? 0) + 1);
      if (program.isRunning) largest = Math.max(largest, program.residentBytes());
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
  trial.measured('largest resident memory', `${Math.round(largest / 1024 / 1024)} MiB`);
  for (const [outcome, count] of answers) trial.measured(`answers: ${outcome}`, count);
  trial.expect(program.isRunning, 'it runs still');
  if (!program.isRunning) {
    trial.measured('its last words', program.stderr.trim().split('\n').slice(-30, -20).join('\n'));
    return;
  }
  const stored = (await readIds(url).catch(() => [])).length;
  if (!program.isRunning) trial.measured('its last words', program.stderr.trim().slice(-3_000));
  trial.measured('stored', `${stored} of ${BODIES}`);
  trial.expect(stored === answers.get('200'), 'what was taken is there, what was refused is not');
  const others = [...answers.keys()].filter((outcome) => outcome !== '200');
  trial.expect(
    others.every((outcome) => outcome.includes('507')),
    'what does not fit is refused, and says that the store is full',
  );
  await fetch(`${url}/__admin/state`, { method: 'DELETE' });
  trial.expect((await createPlant(url, 1)) === 200, 'when the store is emptied it takes again');
});

/** @returns the status of the answer and, of a refusal, the cause that its body tells */
async function create(url: string, id: number): Promise<string> {
  try {
    const response = await fetch(`${url}/plants`, plantRequest(id, NAME));
    const text = await response.text();
    if (response.status === 200) return '200';
    return `${response.status} ${text.slice(0, 120)}`;
  } catch (error) {
    return error instanceof Error ? `none: ${String(error.cause ?? error)}` : String(error);
  }
}
