import { chmod, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { readSteps, type ShellStep } from './page.ts';
import { program, type Running, startCommand } from './program.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Commands that end by themselves; `coldframe` with anything else starts a mock. */
const COMMAND =
  /^(?:check|coverage|drill|explain|fixtures|state|types|verdict|webhook|health|mcp|--help|--version)\b/;
const START = /^(?:npx coldframe|coldframe|node dist\/main\.js|npm start)(?: (?:-- )?(.*))?$/;

/** A start takes a second, but longer on a busy machine. */
const START_MILLISECONDS = 60_000;

/** Scripts that replace the programs that a page uses. */
const shims: Readonly<Record<string, string>> = {
  // `state` without --url uses the mock of the page.
  coldframe: `case "$1 $*" in state*--url*|state*--store*|'state '*\\ api.yaml*) ;; state*) set -- "$@" --url "$PAGE_URL";; esac
exec "${process.execPath}" "${program}" "$@"`,
  npx: '[ "$1" = coldframe ] || { name="$1"; shift; exec "node_modules/.bin/$name" "$@"; }; exec "$@"',
  npm: '[ "$1" = start ] || exit 127; shift; [ "$1" = -- ] && shift; exec coldframe "$@"',
  curl: `PATH=$REAL_PATH; exec curl -sS -w '\\n' $CURL_FLAGS "$@"`,
  // Gives a busy machine more time.
  sleep: '[ "$1" = 1 ] && set -- 4; PATH=$REAL_PATH; exec sleep "$1"',
};

/** Runs the commands of a page in order, in its own folder and against its own mock. */
export class PageRun {
  readonly #t: ExecutionContext;
  readonly #folder: string;
  readonly #skipped: ReadonlySet<string>;
  #mock: Running | undefined;
  #port = '0';

  private constructor(t: ExecutionContext, folder: string, skipped: ReadonlySet<string>) {
    this.#t = t;
    this.#folder = folder;
    this.#skipped = skipped;
  }

  /** @param skipped commands that are not run */
  static async run(t: ExecutionContext, page: string, skipped: ReadonlySet<string>): Promise<void> {
    const folder = await createFolder(t);
    const run = new PageRun(t, folder, skipped);
    for (const step of readSteps(page)) {
      if (step.kind === 'shell') await run.#runStep(step);
      else await run.#write(step.name, step.text);
    }
    await run.#endMock();
    t.pass();
  }

  async #write(name: string, text: string): Promise<void> {
    const path = join(this.#folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, this.#usePort(text));
  }

  async #runStep({ commands, output, line }: ShellStep): Promise<void> {
    const wanted = commands.filter((command) => !this.#skipped.has(command.trim()));
    let printed = '';
    for (const part of splitAtStarts(wanted)) {
      const result = isStart(part)
        ? await this.#startMock(part, line)
        : await this.#runScript(part, output !== undefined, line);
      if (output === undefined && isStart(part)) this.#t.is(result, '', `line ${line}: ${part}`);
      printed += result;
    }
    if (output !== undefined && wanted.length > 0) this.#compare(output, printed, line);
  }

  async #runScript(script: string, isShown: boolean, line: number): Promise<string> {
    if (this.#mock === undefined && /127\.0\.0\.1:4010|localhost:4010/.test(script)) {
      await this.#startMock('coldframe', line);
    }
    // Where the page shows no output, nothing may fail.
    const { code, stdout, stderr } = await this.#bash(
      `${isShown ? '' : 'set -e\n'}exec 2>&1\n${script}`,
      { CURL_FLAGS: isShown ? '' : '--fail-with-body' },
    ).ended;
    if (!isShown) this.#t.is(code, 0, `line ${line}: ${script}\n${stdout}${stderr}`);
    return stdout;
  }

  /** Replaces the mock. @returns what the program prints if it does not start */
  async #startMock(command: string, line: number): Promise<string> {
    await this.#endMock();
    const portless = command.replace(/--port \d+/, '--port 0');
    const mock = this.#bash(`exec ${portless}`, { COLDFRAME_PORT: '0' });
    const listening = await mock
      .until(() => mock.lines.find(({ event }) => event === 'listening'), START_MILLISECONDS)
      .catch(() => undefined);
    if (listening === undefined) {
      const { stdout, stderr } = await mock.end();
      return `${stdout}${stderr}`;
    }
    this.#mock = mock;
    this.#port = new URL(String(listening['url'])).port;
    this.#t.log(`line ${line}: ${command}`);
    return '';
  }

  async #endMock(): Promise<void> {
    await this.#mock?.end('SIGKILL');
    this.#mock = undefined;
  }

  #bash(script: string, environment: Readonly<Record<string, string>>): Running {
    return startCommand(this.#t, 'bash', ['-c', this.#usePort(script)], {
      folder: this.#folder,
      environment: {
        COLDFRAME_PORT: this.#port,
        PAGE_URL: `http://127.0.0.1:${this.#port}`,
        REAL_PATH: process.env['PATH'] ?? '',
        PATH: `${join(this.#folder, '.shims')}:${process.env['PATH']}`,
        ...environment,
      },
    });
  }

  /** Returns a text with the port of the mock in place of the default one. */
  #usePort(text: string): string {
    return text.replaceAll(/(127\.0\.0\.1|localhost):4010/g, `$1:${this.#port}`);
  }

  #compare(expected: readonly string[], printed: string, line: number): void {
    const actual = linesOf(printed.replaceAll('\r', '').replaceAll(`:${this.#port}`, ':4010'));
    const pattern = linesOf(expected.join('\n')).map(toPattern).join('');
    const matches = new RegExp(`^${pattern}$`).test(actual.map((part) => `${part}\n`).join(''));
    // The diff is easier to read than a pattern that does not match.
    if (matches) this.#t.pass();
    else this.#t.deepEqual(actual, linesOf(expected.join('\n')), `line ${line}`);
  }
}

/** Returns the lines that are not blank: curl prints no blank lines between two responses. */
function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
}

/**
 * Returns the pattern of a line of output. `…` matches any text, alone on its line any lines; the
 * time of a replay matches any time.
 */
function toPattern(line: string): string {
  if (line.trim() === '…') return '(?:.*\\n)*?';
  const pattern = line
    .replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    .replaceAll('…', '.*?')
    .replaceAll(/\bat=\d{13}\b/g, 'at=\\d{13}');
  return `${pattern}\\n`;
}

/** Returns the commands, with those between two starts of a mock joined to one script. */
function splitAtStarts(commands: readonly string[]): readonly string[] {
  const parts: string[] = [];
  for (const command of commands) {
    const last = parts.at(-1);
    if (last === undefined || isStart(last) || isStart(command)) parts.push(command);
    else parts[parts.length - 1] = `${last}\n${command}`;
  }
  return parts.filter((part) => part.trim() !== '');
}

function isStart(command: string): boolean {
  const start = START.exec(command.trim());
  return start !== null && !COMMAND.test(start[1] ?? '') && !/[|>]|&$/.test(command);
}

async function createFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'coldframe-page-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'package.json'), '{}');
  await mkdir(join(folder, 'node_modules'));
  await mkdir(join(folder, '.shims'));
  await symlink(root, join(folder, 'node_modules/coldframe'));
  for (const name of ['.bin', 'express', 'msw', 'vitest']) {
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }
  for (const name of ['spec', 'examples', 'dist'])
    await symlink(join(root, name), join(folder, name));
  await cp(join(root, 'spec/gardens.openapi.yaml'), join(folder, 'api.yaml'));
  for (const [name, text] of Object.entries(shims)) {
    await writeFile(join(folder, '.shims', name), `#!/bin/sh\n${text}\n`);
    await chmod(join(folder, '.shims', name), 0o755);
  }
  return folder;
}
