import type { ListeningMock, Mock } from '../assemble/mock.ts';
import { reloadMock } from '../assemble/watch.ts';
import { createPaint } from '../base/terminal.ts';
import type { Log } from '../events/log.ts';
import { ReadyRequests, writeCurl } from '../request/ready-request.ts';
import type { Console, Keyboard } from './console.ts';

const MOST_OPERATIONS_SHOWN = 30;

interface Shown {
  readonly tokens: readonly string[];
  /** The documents, as the user named them. */
  readonly document: string;
  readonly hasColor: boolean;
}

/** Returns the welcome text: URL, operations, rules, and a command to try. */
export function describeStart(mock: Mock, server: ListeningMock, shown: Shown): string {
  const { url, adminUrl = url } = server;
  const { document, hasColor, tokens } = shown;
  const paint = createPaint(hasColor);
  const dim = (text: string): string => paint('dim', text);
  const { contract } = mock;
  const operations = contract.operations.slice(0, MOST_OPERATIONS_SHOWN);
  const ready = new ReadyRequests(contract, tokens).first();
  const width = Math.max(0, ...operations.map(({ path }) => path.length));
  const lines = operations.map(
    ({ method, path, id, summary }) =>
      `  ${paint('cyan', method.padEnd(7))} ${path.padEnd(width)}  ${dim(summary ?? id)}`,
  );
  const hidden = contract.operations.length - operations.length;
  if (hidden > 0) lines.push(dim(`  … and ${hidden} more`));
  const rules = mock.fixtures.map(({ name, isEnabled }) =>
    isEnabled ? `${name} ${paint('bold', 'enabled')}` : name,
  );
  return [
    '',
    `  ${paint('bold', contract.title)} ${contract.version} ${dim(document)}`,
    `  ${paint('green', url)}`,
    '',
    ...lines,
    '',
    ...(ready === undefined ? [] : [dim('  Try it:'), `  ${writeCurl(ready, url)}`, '']),
    ...(rules.length === 0
      ? []
      : [
          dim('  Failures (start with --fixture <name>, or send Mock-Fixture: <name>):'),
          `  ${rules.join(', ')}`,
          '',
        ]),
    dim(
      `  State: ${adminUrl}/__admin/state?shown=true   Journal: ${adminUrl}/__admin/journal   Keys: h + Enter   Stop: Ctrl+C`,
    ),
    '',
    '',
  ].join('\n');
}

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
