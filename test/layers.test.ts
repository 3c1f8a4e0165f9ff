import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import test from 'ava';

const source = new URL('../src/', import.meta.url);

/**
 * The rooms from top to bottom, as a request passes them: a file imports from rooms below its own,
 * and from its own room.
 */
const rooms: readonly string[] = [
  'main.ts',
  'stored.ts',
  'index.ts',
  'commands/',
  'assemble/',
  'serve/',
  'control/',
  'mcp/',
  'settings/',
  'handle.ts',
  'callbacks/',
  'check/',
  'report/',
  'respond/',
  'redis/',
  'events/',
  'session/',
  'resources/',
  'rules/',
  'journal/',
  'request/',
  'typing/',
  'client/',
  'generate/',
  'contract/',
  'schema/',
  'media/',
  'document/',
  'state/',
  'delivery/',
  'http/',
  'base/',
];

/** A room that is larger than this is hard to take in. */
const MOST_FILES = 25;

interface SourceFile {
  /** Below `src/`. */
  readonly path: string;
  /** Without comments, which may name what the code must not. */
  readonly code: string;
  /** Paths below `src/`. */
  readonly imports: readonly string[];
  /** Names of packages. */
  readonly packages: readonly string[];
}

async function readSources(): Promise<readonly SourceFile[]> {
  const entries = await readdir(source, { recursive: true });
  const paths = entries.filter((path) => path.endsWith('.ts')).sort();
  return Promise.all(paths.map(readSource));
}

async function readSource(path: string): Promise<SourceFile> {
  const text = await readFile(new URL(path, source), 'utf8');
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '');
  const specifiers = [
    ...code.matchAll(/\bfrom\s+'([^']+)'/g),
    ...code.matchAll(/\bimport\(\s*'([^']+)'\s*\)/g),
    ...code.matchAll(/\bimport\s+'([^']+)'/g),
    ...code.matchAll(/\brequire\(\s*'([^']+)'\s*\)/g),
  ].map(([, specifier = '']) => specifier);
  const isOwn = (specifier: string): boolean => specifier.startsWith('.');
  return {
    path,
    code,
    imports: specifiers.filter(isOwn).map((to) => normalize(join(dirname(path), to))),
    packages: specifiers.filter((specifier) => !isOwn(specifier)),
  };
}

function roomOf(path: string): string {
  const [folder = path, ...rest] = path.split('/');
  return rest.length === 0 ? path : `${folder}/`;
}

function rankOf(path: string): number {
  return rooms.indexOf(roomOf(path));
}

test('the sources are found, and their imports exist', async (t) => {
  const files = await readSources();
  const paths = new Set(files.map(({ path }) => path));
  t.true(paths.has('main.ts') && paths.has('contract/contract.ts'));
  const lost = files.flatMap(({ path, imports }) =>
    imports.filter((to) => !paths.has(to)).map((to) => `${path} → ${to}`),
  );
  t.deepEqual(lost, []);
  t.true(files.flatMap(({ imports }) => imports).length > 100);
});

test('the list of rooms matches the folders', async (t) => {
  const found = new Set((await readSources()).map(({ path }) => roomOf(path)));
  t.deepEqual([...found].sort(), [...rooms].sort());
});

test('the floor plan in CONTRIBUTING.md lists the rooms in this order', async (t) => {
  const text = await readFile(new URL('../CONTRIBUTING.md', import.meta.url), 'utf8');
  const [, plan = ''] = /^\| Room .*\n([\s\S]*?)\n\n/m.exec(text) ?? [];
  const listed = [...plan.matchAll(/^\| \**`([\w./]+)`/gm)].map(([, room]) => room);
  t.deepEqual(listed, rooms);
});

test('only the entries and handle.ts are at the top', async (t) => {
  const found = (await readSources()).map(({ path }) => path).filter((path) => !path.includes('/'));
  t.deepEqual(found, ['handle.ts', 'index.ts', 'main.ts', 'stored.ts']);
});

test('imports lead to the same or a lower room', async (t) => {
  const climbing = (await readSources()).flatMap(({ path, imports }) =>
    imports
      .filter((to) => roomOf(to) !== roomOf(path) && rankOf(to) <= rankOf(path))
      .map((to) => `${path} → ${to}`),
  );
  t.deepEqual(climbing, []);
});

test('no folder has more than 25 files directly in it', async (t) => {
  const counts = new Map<string, number>();
  for (const { path } of await readSources()) {
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  }
  t.deepEqual(
    [...counts].filter(([, count]) => count > MOST_FILES),
    [],
  );
});

test('there are no import cycles', async (t) => {
  const graph = new Map((await readSources()).map(({ path, imports }) => [path, imports]));
  t.deepEqual(findCycle(graph), []);
});

/** @returns the files of a cycle in their order; none when there is no cycle */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): readonly string[] => {
    const at = way.indexOf(path);
    if (at >= 0) return [...way.slice(at), path];
    if (done.has(path)) return [];
    for (const to of graph.get(path) ?? []) {
      const cycle = visit(to, [...way, path]);
      if (cycle.length > 0) return cycle;
    }
    done.add(path);
    return [];
  };
  for (const path of graph.keys()) {
    const cycle = visit(path, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

test('an import cycle is detected', (t) => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', []],
    ['d', ['b']],
  ]);
  t.deepEqual(findCycle(graph), ['b', 'd', 'b']);
});

test('only one file imports Prism', async (t) => {
  const files = (await readSources()).filter(({ packages }) =>
    packages.some((name) => name.startsWith('@stoplight/')),
  );
  t.deepEqual(
    files.map(({ path }) => path),
    ['generate/prism.ts'],
  );
});

/** @returns the files whose code has a match, but for those that may */
async function filesWith(pattern: RegExp, ...allowed: readonly string[]): Promise<string[]> {
  const files = await readSources();
  return files
    .filter(({ path, code }) => !allowed.includes(path) && pattern.test(code))
    .map(({ path }) => path);
}

/** Files that make a regular expression of a text, and why they may. */
const PATTERN_MAKERS: Readonly<Record<string, string>> = {
  'schema/pattern/pattern.ts': 'the compile function of patterns, and a constant',
  'schema/pattern/program.ts': 'tests single characters',
  'schema/pattern/text-pattern.ts': 'RE2, which never backtracks',
  'schema/pattern/syntax.ts': 'tries whether a pattern is legal, and never runs it',
  'generate/text/pattern-text.ts': 'one class of a pattern, run on single characters',
  'resources/collections.ts': 'a path of the document, its literals escaped',
  'rules/match/moments.ts': 'a format of dates, each part once, its literals escaped',
  'http/media-type.ts': 'a constant',
  'media/xml-codec.ts': 'constants',
};

test('only schema/ compiles patterns from outside', async (t) => {
  const makers = await filesWith(/\bRegExp\s*\(|[(,]\s*RegExp\s*[,)]|\bRE2JS\b/);
  t.deepEqual(makers, Object.keys(PATTERN_MAKERS).sort());
  // These make a regular expression of a string, too; a constant is written in capitals.
  const implicit = /(?<!\bstring)\.(?:match|matchAll|search)\(\s*(?![A-Z_]+\)|\/[^/*])[^\s)]/;
  t.deepEqual(await filesWith(implicit), []);
});

test('only main.ts and stored.ts use process, and only the log of a program the console', async (t) => {
  // The clock takes nothing but the time.
  const uses = /(?<![-\w])process\s*[.[]|(?<!import \{ hrtime \} from )'(?:node:)?process'/;
  t.deepEqual(await filesWith(uses, 'main.ts', 'stored.ts'), []);
  t.deepEqual(await filesWith(/\bconsole\s*\.\s*(?:log|error|warn|info|debug)\b/), [
    'assemble/mock-interface.ts',
  ]);
});

test('only base/clock.ts reads the time', async (t) => {
  const time = /\bDate\s*\.\s*now\b|\bnew\s+Date\b|\bDate\(\)|\bperformance\b|\bhrtime\b/;
  t.deepEqual(await filesWith(time, 'base/clock.ts'), []);
});

test('all random numbers come from base/random.ts', async (t) => {
  const chance = /\bMath\s*\.\s*random\b|\brandomUUID\b|\brandomBytes\b|\bgetRandomValues\b/;
  t.deepEqual(await filesWith(chance, 'base/random.ts'), []);
});

/** @returns the names of a module's own containers that are filled somewhere in it */
function filledContainers({ code }: SourceFile): string[] {
  const containers = /^(?:export )?const (\w+)[^=\n]*= (?:new (?:Weak)?(?:Map|Set)\b|\[|\{)/gm;
  return [...code.matchAll(containers)]
    .map(([, name = '']) => name)
    .filter((name) =>
      new RegExp(
        `\\b${name}\\.(?:set|add|push|unshift|delete|clear)\\(|\\b${name}\\[[^\\]]+\\] = `,
      ).test(code),
    );
}

test('no module has mutable state', async (t) => {
  t.deepEqual(await filesWith(/^(?:export\s+)?(?:let|var)\s/m), []);
  const filled = (await readSources()).flatMap((file) =>
    filledContainers(file).map((name) => `${file.path}: ${name}`),
  );
  t.deepEqual(filled, []);
});

test('handle.ts has one line for each stage, in order', async (t) => {
  const { code } = await readSource('handle.ts');
  t.true(code.split('\n').length <= 80);
  const stages = [
    ...['openSession(', 'route(', 'respondToOutage)', 'authenticate(', 'decode(', 'validate('],
    ...['respond(', 'conform)', 'deliver)', 'record)'],
  ];
  const body = code.slice(code.indexOf('function handle('));
  const places = stages.map((stage) => body.indexOf(stage));
  t.false(places.includes(-1));
  t.deepEqual(
    [...places].sort((a, b) => a - b),
    places,
  );
});
