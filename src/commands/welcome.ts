import type { ListeningMock, Mock } from '../assemble/mock.ts';
import { createPaint } from '../base/terminal.ts';
import { ReadyRequests, writeCurl } from '../request/ready-request.ts';

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
