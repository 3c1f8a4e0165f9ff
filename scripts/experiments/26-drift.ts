import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Point, slopeOf } from '../../bench/statistics.ts';
import { plantRequest } from './plants.ts';
import { conduct, type Trial } from './support.ts';

const REQUESTS_A_SECOND = 200;
/** No multiple of the turns, so that each session has all of them; few, so that journals fill soon. */
const SESSIONS = 11;
const LARGEST_SLOPE_MIB_A_MINUTE = 1;

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const minutes = Number(values.minutes);

interface Turn {
  readonly path: string;
  readonly request?: RequestInit;
  readonly status: number | 'none';
}

const withFields = (
  request: RequestInit,
  fields: Readonly<Record<string, string>>,
): RequestInit => ({
  ...request,
  headers: { ...(request.headers as Record<string, string>), ...fields },
});

const turns: readonly ((number: number) => Turn)[] = [
  (number) => ({ path: '/plants', request: plantRequest(number % 1_000), status: 200 }),
  (number) => ({ path: '/plants', request: plantRequest(number % 1_000), status: 200 }),
  () => ({ path: '/plants', request: { ...plantRequest(1), body: '{"id":"x"}' }, status: 400 }),
  () => ({ path: '/plants', request: { ...plantRequest(1), body: '{"id":1,' }, status: 400 }),
  (number) => ({ path: `/nowhere/${number}`, status: 404 }),
  () => ({ path: '/plants', status: 405 }),
  () => ({ path: '/__admin/state/plants', status: 200 }),
  () => ({
    path: '/plants',
    request: withFields(plantRequest(1), { prefer: 'code=400' }),
    status: 400,
  }),
  () => ({
    path: '/plants',
    request: withFields(plantRequest(1), { 'mock-fixture': 'dropped-connection' }),
    status: 'none',
  }),
  () => ({ path: '/__admin/health', status: 200 }),
];

await conduct(
  `26: ${minutes} minutes of mixed requests, ${REQUESTS_A_SECOND} a second`,
  drift,
  (minutes + 2) * 60_000,
);

async function drift(trial: Trial): Promise<void> {
  const { program, url } = await trial.startMock();
  const started = performance.now();
  const memory: Point[] = [];
  const files: number[] = [];
  const wrong = new Map<string, number>();
  let number = 0;
  while (performance.now() - started < minutes * 60_000) {
    const batch = Array.from({ length: REQUESTS_A_SECOND / 10 }, () => send(url, number++));
    for (const fault of (await Promise.all(batch)).filter((one) => one !== '')) {
      wrong.set(fault, (wrong.get(fault) ?? 0) + 1);
    }
    const elapsed = performance.now() - started;
    await sleep(Math.max(0, (number / REQUESTS_A_SECOND) * 1000 - elapsed));
    if (number % (REQUESTS_A_SECOND * 5) !== 0) continue;
    memory.push({ x: elapsed / 60_000, y: program.residentBytes() / 1024 / 1024 });
    files.push(program.openFiles());
    if (number % (REQUESTS_A_SECOND * 30) === 0) report(trial, memory, files);
  }
  judge(trial, memory, files);
  trial.measured('requests', number);
  for (const [fault, count] of wrong) trial.measured(`wrong: ${fault}`, count);
  trial.expect(wrong.size === 0, 'every request got the answer that it must');
}

/** The requests of a day, in turns. @returns what is wrong with the answer; nothing when it is right */
async function send(url: string, number: number): Promise<string> {
  const turn = turns[number % turns.length];
  if (turn === undefined) return '';
  const headers = { 'mock-session': `drift-${number % SESSIONS}` };
  const { path, request = {}, status } = turn(number);
  try {
    const response = await fetch(url + path, {
      ...request,
      headers: { ...(request.headers as Record<string, string> | undefined), ...headers },
    });
    await response.arrayBuffer();
    return response.status === status ? '' : `${path} ${response.status}`;
  } catch (error) {
    return status === 'none' ? '' : `${path} ${String(error)}`;
  }
}

function report(trial: Trial, memory: readonly Point[], files: readonly number[]): void {
  const { x = 0, y = 0 } = memory.at(-1) ?? {};
  trial.measured(`minute ${x.toFixed(1)}`, `${y.toFixed(1)} MiB, ${files.at(-1)} files`);
}

/** The first half is to warm up: journals and states fill. */
function judge(trial: Trial, memory: readonly Point[], files: readonly number[]): void {
  const slope = slopeOf(memory.slice(memory.length / 2));
  const warm = files.slice(files.length / 2);
  trial.measured('memory grows by', `${slope.toFixed(2)} MiB a minute`);
  trial.measured('open files', `${Math.min(...warm)} to ${Math.max(...warm)}`);
  trial.expect(slope < LARGEST_SLOPE_MIB_A_MINUTE, 'memory is flat');
  // The client's connections come and go, so the number moves a little.
  trial.expect(Math.max(...warm) - Math.min(...warm) <= 64, 'so are the open files');
}
