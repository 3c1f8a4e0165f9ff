import type { Mock } from '../assemble/mock.ts';
import { reloadMock } from '../assemble/watch.ts';
import type { Log } from '../events/log.ts';
import type { Console, Keyboard } from './console.ts';

interface Served {
  readonly mock: Mock;
  readonly url: string;
  readonly console: Console;
  readonly log: Log;
}

/**
 * Obeys the keys that a user types at the terminal, each followed by Enter, until the user quits.
 */
export function obeyKeys(keyboard: Keyboard, { mock, url, console, log }: Served): Promise<void> {
  return new Promise((resolve) => {
    const keys: Readonly<Record<string, readonly [does: string, run: () => unknown]>> = {
      h: ['show this help', () => console.write(help)],
      o: ['open the mock in a browser', () => keyboard.open(url)],
      r: ['read the files again', () => reloadMock(mock, log)],
      c: ['clear the state of all sessions', () => clear(mock, log)],
      q: ['quit', resolve],
    };
    const lines = Object.entries(keys).map(([key, [does]]) => `  ${key} + Enter  ${does}\n`);
    const help = `\n${lines.join('')}\n`;
    keyboard.onLine((line) => {
      const key = line.trim().toLowerCase();
      if (Object.hasOwn(keys, key)) keys[key]?.[1]();
    });
  });
}

async function clear(mock: Mock, log: Log): Promise<void> {
  try {
    await mock.reset();
    log.info('the state is cleared');
  } catch (error) {
    log.error('the state is not cleared', error);
  }
}
