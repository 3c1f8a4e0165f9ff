import { becomes, openLines } from './lines.ts';
import { createPlant } from './plants.ts';
import { conduct } from './support.ts';

/** The mock's own, src/serve/server.ts: the time for a head, and how often it is looked at. */
const HEAD_MILLISECONDS = 10_000;
const CHECK_MILLISECONDS = 2_000;

await conduct('15: heads that never end', async (trial) => {
  const count = trial.isShort ? 50 : 300;
  const { program, url } = await trial.startMock();
  const head = 'POST /plants HTTP/1.1\r\nHost: localhost\r\nX-Slow: ';
  const began = performance.now();
  const lines = await openLines(url, count, head);
  // Whoever goes on sending a little is no better off.
  const drip = setInterval(() => {
    for (const socket of lines.sockets) if (socket.writable) socket.write('a');
  }, 1_000);
  const status = await createPlant(url, 1);
  trial.expect(status === 200, 'others are answered meanwhile');
  const areClosed = await becomes(() => lines.ended() === count, HEAD_MILLISECONDS + 30_000);
  clearInterval(drip);
  const after = performance.now() - began;
  trial.measured(
    'closed',
    `${lines.ended()} of ${count}, the last after ${(after / 1000).toFixed(1)} s`,
  );
  trial.measured('answered with 408', lines.heard('HTTP/1.1 408 '));
  trial.expect(areClosed, 'all are closed');
  trial.expect(lines.heard('HTTP/1.1 408 ') === count, 'each is told 408');
  trial.expect(
    after < HEAD_MILLISECONDS + 3 * CHECK_MILLISECONDS,
    'soon after the time for a head',
  );
  trial.expect(program.isRunning, 'the program runs on');
});
