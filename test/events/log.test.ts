import test, { type ExecutionContext } from 'ava';
import { DiagnosticError } from '../../src/document/diagnostic.ts';
import { parseSource } from '../../src/document/source.ts';
import { createLog } from '../../src/events/log.ts';
import { createMock } from '../../src/index.ts';

/** Noon of a day in the zone of this machine. */
const NOON = new Date(2026, 0, 31, 12, 0, 5).getTime();

function createPretty() {
  const lines: string[] = [];
  const write = (text: string): void => {
    lines.push(...text.trimEnd().split('\n'));
  };
  const log = createLog({ level: 'info', form: 'lines', hasColor: false, write, now: () => NOON });
  return { log, lines };
}

test('a line of the log begins with the time and the number of the request', async (t) => {
  const { log, lines } = createPretty();
  const mock = await createMock({ log });
  await mock.fetch('/plants');
  await mock.fetch('/nowhere');
  await mock.close();
  log.flush();
  t.regex(lines[0] ?? '', /^ {2}12:00:05 #1 405 GET \/plants refusal; problem=METHOD_NOT_ALLOWED /);
  t.regex(lines[2] ?? '', /^ {2}12:00:05 #2 404 GET \/nowhere /);
});

test('a warning is one line, whatever is in it', (t) => {
  const { log, lines } = createPretty();
  log.warn('the path\nis wrong', { at: 'api.yaml:1:2', remedy: 'Correct\nit.' });
  log.info('reloaded', { changes: ['+ GET /ping', '− DELETE /books/{id}'], operations: 2 });
  log.flush();
  t.deepEqual(lines, [
    '  12:00:05 the path\\u000ais wrong: at api.yaml:1:2, remedy Correct\\u000ait.',
    '  12:00:05 reloaded: + GET /ping, − DELETE /books/{id}, operations 2',
  ]);
});

function faultOf(t: ExecutionContext, file: string, text: string): DiagnosticError {
  const error = t.throws(() => parseSource(file, text), { instanceOf: DiagnosticError });
  return error as DiagnosticError;
}

test('an error of YAML or JSON shows the lines around it', (t) => {
  const { message } = faultOf(t, 'api.yaml', 'a: 1\nb: 2\nc: [1\nd: 3\n');
  t.regex(
    message,
    /^api\.yaml:4:1 error: .*\n {4}2 \| b: 2\n {4}3 \| c: \[1\n {4}4 \| d: 3\n {6}\| \^$/m,
  );
  t.regex(
    faultOf(t, 'api.json', '{"a": 1,\n "b" 2}').message,
    /\n {4}2 \| {2}"b" 2\}\n {6}\| {6}\^$/,
  );
});

test('a fault of syntax is reported once', (t) => {
  const { diagnostics } = faultOf(t, 'api.yaml', 'a:\n  b:\n    c: {d: {e: f\n  g: [\n');
  const places = diagnostics.map(({ position, message }) => `${position.line} ${message}`);
  t.is(new Set(places).size, places.length);
});
