import type { ListeningMock, Mock } from '../assemble/mock.ts';
import { stringifyJson } from '../base/json/stringify.ts';
import { createPaint } from '../base/terminal.ts';
import type { Operation } from '../contract/contract.ts';

const MOST_OPERATIONS_SHOWN = 30;

/** Returns the welcome text: URL, operations, rules, and a command to try. */
export function describeStart(
  mock: Mock,
  { url, adminUrl = url }: ListeningMock,
  document: string,
  hasColor: boolean,
): string {
  const paint = createPaint(hasColor);
  const dim = (text: string): string => paint('dim', text);
  const { contract } = mock;
  const operations = contract.operations.slice(0, MOST_OPERATIONS_SHOWN);
  const served = operations.find(({ fault }) => fault === undefined);
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
    ...(served === undefined ? [] : [dim('  Try it:'), `  ${curlLine(served, url)}`, '']),
    ...(rules.length === 0
      ? []
      : [
          dim('  Failures (start with --fixture <name>, or send Mock-Fixture: <name>):'),
          `  ${rules.join(', ')}`,
          '',
        ]),
    dim(`  State: ${adminUrl}/__admin/state   Journal: ${adminUrl}/__admin/journal   Stop: Ctrl+C`),
    '',
    '',
  ].join('\n');
}

/** Returns a command to paste into a shell. */
function curlLine(operation: Operation, url: string): string {
  const words = ['curl', '-i'];
  if (operation.method !== 'GET') words.push('-X', operation.method);
  words.push(quote(url + fillPath(operation)));
  const isBearer = operation.security[0]?.some(({ kind }) => kind === 'bearer') ?? false;
  if (isBearer) words.push('-H', quote('Authorization: Bearer token'));
  const content = operation.body?.contents[0];
  const example = content?.examples[0];
  if (content !== undefined && example !== undefined) {
    words.push('-H', quote(`Content-Type: ${content.mediaType}`));
    words.push('-d', quote(stringifyJson(example.value)));
  }
  return words.join(' ');
}

/** Fills path parameters with plausible values of their types. */
function fillPath({ path, parameters }: Operation): string {
  return path.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    const isNumber = ['integer', 'number'].some((type) =>
      parameter?.serialization.shape.types.has(type),
    );
    return isNumber ? '1' : 'example';
  });
}

/** Quotes for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
