/**
 * Takes the pictures of the documentation: the first screen on a terminal, as SVG, the page that a
 * browser shows, both forms of a report of coverage, and a verdict. Run `npm run build` before, and
 * `npx tsx scripts/take-pictures.ts` for all.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { escapeHtml } from '../src/http/html.ts';

const FOLDER = 'docs/pictures';
const URL = 'http://localhost:4010';

const COLORS: Readonly<Record<string, string>> = {
  1: 'font-weight="bold"',
  2: 'fill="#8b949e"',
  31: 'fill="#ff7b72"',
  32: 'fill="#7ee787"',
  33: 'fill="#e3b341"',
  36: 'fill="#79c0ff"',
};
const LINE = 20;
const CHARACTER = 8.4;

/** Returns lines of a terminal as SVG, with their colors. */
function drawTerminal(text: string): string {
  const lines = text.replace(/\n+$/, '').split('\n');
  const lengths = lines.map((line) => line.replaceAll(/\u001b\[\d+m/g, '').length);
  const [width, height] = [Math.max(...lengths) * CHARACTER + 40, lines.length * LINE + 30];
  const rows = lines.map((line, index) => {
    const spans = line.split('\u001b[').map((part, number) => {
      const [, code = '', rest = part] = number === 0 ? [] : (/^(\d+)m(.*)$/.exec(part) ?? []);
      return rest === '' ? '' : `<tspan ${COLORS[code] ?? ''}>${keepSpaces(rest)}</tspan>`;
    });
    return `<text x="20" y="${30 + index * LINE}">${spans.join('')}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">
<title>Coldframe on a terminal</title>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<g font-family="ui-monospace,Menlo,Consolas,monospace" font-size="14" fill="#e6edf3">
${rows.join('\n')}
</g>
</svg>
`;
}

/** Viewers differ in what they do with several spaces. */
function keepSpaces(text: string): string {
  return escapeHtml(text).replaceAll(' ', '\u00a0');
}

/** Starts the bookshop, and returns its process and the text that it has written. */
function startMock() {
  const words = ['dist/main.js', 'spec/bookshop.openapi.yaml', '--log', 'pretty'];
  const environment = { ...process.env, FORCE_COLOR: '1' };
  const child = spawn(process.execPath, words, { env: environment });
  const written: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => written.push(text));
  }
  return { child, written };
}

async function waitUntilReady(): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const response = await fetch(`${URL}/__admin/health/ready`).catch(() => undefined);
    if (response?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`nothing listens on ${URL}`);
}

async function takeTerminal(written: readonly string[]): Promise<void> {
  const headers = { authorization: 'Bearer token', 'content-type': 'application/json' };
  await fetch(`${URL}/books?genre=novel`);
  await fetch(`${URL}/books`, { method: 'POST', headers, body: '{"title": "Salt"}' });
  const fail = JSON.stringify({ operationId: 'listOrders', status: 503, times: 1 });
  await fetch(`${URL}/__admin/fail`, { method: 'POST', body: fail });
  for (const _ of [1, 2]) await fetch(`${URL}/orders`, { headers });
  await new Promise((resolve) => setTimeout(resolve, 500));
  await writeFile(`${FOLDER}/terminal.svg`, drawTerminal(written.join('').replace(/^\n/, '')));
}

/** Takes the report of what the requests above have used. */
async function takeCoverage(): Promise<void> {
  const words = ['dist/main.js', 'coverage', '--url', URL];
  const env = { ...process.env, FORCE_COLOR: '1' };
  const report = execFileSync(process.execPath, words, { env, encoding: 'utf8' });
  const lines = report.split('\n').map((line) => cutLine(line, 118));
  await writeFile(`${FOLDER}/coverage.svg`, drawTerminal(lines.join('\n')));
  await takePage(`${URL}/__admin/coverage?format=html`, 'coverage.png', 1200);
}

/** Takes the verdict on a client that repeats a create at once, whatever the response asks. */
async function takeVerdict(): Promise<void> {
  const headers = { authorization: 'Bearer token', 'content-type': 'application/json' };
  const fail = JSON.stringify({ operationId: 'createBook', status: 503, times: 6 });
  await fetch(`${URL}/__admin/fail`, { method: 'POST', body: fail });
  for (let attempt = 0; attempt < 7; attempt++) {
    await fetch(`${URL}/books`, { method: 'POST', headers, body: '{"title": "Loam"}' });
  }
  const words = ['dist/main.js', 'verdict', '--url', URL];
  const env = { ...process.env, FORCE_COLOR: '1' };
  const { stdout } = spawnSync(process.execPath, words, { env, encoding: 'utf8' });
  const lines = stdout.split('\n').map((line) => cutLine(line, 118));
  await writeFile(`${FOLDER}/verdict.svg`, drawTerminal(lines.join('\n')));
}

/** Cuts a line with colors where a terminal of this width ends. */
function cutLine(line: string, width: number): string {
  let left = width;
  return line
    .split(/(\u001b\[\d+m)/)
    .map((part) => {
      if (part.startsWith('\u001b')) return part;
      const cut = part.slice(0, left);
      left -= cut.length;
      return cut;
    })
    .join('');
}

async function takePage(url: string, file: string, width = 900): Promise<void> {
  const profile = await mkdtemp(join(tmpdir(), 'coldframe-picture-'));
  const words = [
    ...['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars'],
    ...[`--window-size=${width},640`, `--user-data-dir=${profile}`],
    ...[`--screenshot=${FOLDER}/${file}`, url],
  ];
  execFileSync('chromium', words, { stdio: 'ignore' });
  await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

const { child, written } = startMock();
try {
  await waitUntilReady();
  await takeTerminal(written);
  await takePage(URL, 'page.png');
  await takeCoverage();
  await takeVerdict();
} finally {
  child.kill();
}
