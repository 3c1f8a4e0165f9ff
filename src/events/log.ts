import { toTimeOfDay } from '../base/clock.ts';
import { keepLast } from '../base/remember.ts';
import { createPaint, escapeControls, type Paint } from '../base/terminal.ts';
import { DiagnosticError, formatDiagnostic } from '../document/diagnostic.ts';
import type { Attribution, Exchange } from '../journal/exchange.ts';
import { DEFAULT_SESSION } from '../session/session-id.ts';

/** The levels; each includes those before it. */
export const logLevels = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Writes what happens. Never delays a request. */
export interface Log {
  /** @param target returns the request target of the exchange without its secrets */
  exchange(exchange: Exchange, target: (exchange: Exchange) => string): void;
  info(event: string, details?: Readonly<Record<string, unknown>>): void;
  warn(event: string, details?: Readonly<Record<string, unknown>>): void;
  /** @param error written with file, line and column where it has them */
  error(event: string, error: unknown): void;
  flush(): void;
}

export interface LogSettings {
  readonly level: LogLevel;
  /** `lines` for a terminal, `json` for programs: one object a line. */
  readonly form: 'lines' | 'json';
  readonly hasColor: boolean;
  readonly write: (text: string) => void;
  /** The largest write; characters. A longer line is written alone. */
  readonly largestWrite?: number;
  /** Returns milliseconds since 1970. */
  readonly now: () => number;
}

export const silentLog: Log = {
  exchange() {},
  info() {},
  warn() {},
  error() {},
  flush() {},
};

/**
 * Wraps a log that a user wrote, so that it cannot change a response or end the process.
 *
 * @returns a log that drops what the wrapped one throws or rejects with
 */
export function guardLog(log: Log): Log {
  if (log === silentLog) return log;
  const guard = (write: () => unknown): void => {
    try {
      const result = write();
      if (result instanceof Promise) result.catch(() => {});
    } catch {
      // Every error is the user's own, and there is no other log to write it to.
    }
  };
  return {
    exchange: (exchange, target) => guard(() => log.exchange(exchange, target)),
    info: (event, details) => guard(() => log.info(event, details)),
    warn: (event, details) => guard(() => log.warn(event, details)),
    error: (event, error) => guard(() => log.error(event, error)),
    flush: () => guard(() => log.flush()),
  };
}

/** Writes an event with the same details only once. */
export type InfoOnce = Log['info'];

export function createInfoOnce(log: Log): InfoOnce {
  const written = new Set<string>();
  return (event, details) => {
    const text = JSON.stringify([event, details]);
    if (!written.has(text)) log.info(event, details);
    written.add(text);
  };
}

/** Lines are written together: one write for each request would halve the throughput. */
const LARGEST_BATCH = 16 * 1024;
const LONGEST_WAIT_MILLISECONDS = 20;

export function createLog(settings: LogSettings): Log {
  const rank = logLevels.indexOf(settings.level);
  const isOn = (level: LogLevel): boolean => logLevels.indexOf(level) <= rank;
  const format = settings.form === 'json' ? new JsonFormat(settings) : new LineFormat(settings);
  let held = '';
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (held === '') return;
    const text = held;
    held = '';
    settings.write(text);
  };
  const { largestWrite = Number.POSITIVE_INFINITY } = settings;
  const add = (line: string): void => {
    if (held.length + line.length >= largestWrite) flush();
    held += `${line}\n`;
    if (held.length >= LARGEST_BATCH) flush();
    else timer ??= setTimeout(flush, LONGEST_WAIT_MILLISECONDS).unref();
  };
  return {
    exchange: (exchange, target) =>
      isOn('info') && add(format.exchange(exchange, target(exchange))),
    info: (event, details = {}) => isOn('info') && add(format.event('info', event, details)),
    warn: (event, details = {}) => isOn('warn') && add(format.event('warn', event, details)),
    error: (event, error) => isOn('error') && add(format.error(event, error)),
    flush,
  };
}

/** Texts that JSON writes as they are: visible characters of ASCII without quotes. */
const PLAIN = /^[ !#-[\]-~]*$/;

function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Most of the parts of a line are the same as in the line before. */
class JsonFormat {
  readonly #now: () => number;
  readonly #begin = keepLast(
    (now: number) => `{"time":${now},"level":"info","event":"request","id":`,
  );
  readonly #session = keepLast((session: string) =>
    session === DEFAULT_SESSION ? '' : `,"session":${JSON.stringify(session)}`,
  );
  readonly #method = keepLast((method: string) => `,"method":${JSON.stringify(method)}`);
  readonly #operation = keepLast((id: string) => `,"operation":${JSON.stringify(id)}`);
  readonly #source = keepLast((source: string) => `,"source":${JSON.stringify(source)}`);
  readonly #attribution = keepLast(
    (one: Attribution) => `,"attribution":${JSON.stringify(describeAttribution(one))}`,
  );
  readonly #end = keepLast(
    (hundredths: number) => `,"milliseconds":${(hundredths / 100).toFixed(2)}}`,
  );

  constructor({ now }: LogSettings) {
    this.#now = now;
  }

  exchange(exchange: Exchange, target: string): string {
    const { number, session, request, operationId, status, source, problem, fault } = exchange;
    const { attribution, deviations, replay } = exchange;
    // Written by hand for speed, as each request needs it: only foreign texts need escaping.
    let line = this.#begin(this.#now()) + number + this.#session(session);
    line += `${this.#method(request.method)},"target":${quote(target)}`;
    if (operationId !== undefined) line += this.#operation(operationId);
    line += `,"status":${status}${this.#source(source)}`;
    if (problem !== undefined) line += `,"message":${JSON.stringify(problem.message)}`;
    if (attribution !== undefined) line += this.#attribution(attribution);
    if (deviations.length > 0) line += `,"deviations":${JSON.stringify(deviations)}`;
    if (fault !== undefined) line += `,"fault":"${fault}"`;
    if (replay !== undefined) line += `,"replay":${JSON.stringify(replay)}`;
    return line + this.#end(Math.round(exchange.milliseconds * 100));
  }

  event(level: LogLevel, event: string, details: Readonly<Record<string, unknown>>): string {
    return JSON.stringify({ time: this.#now(), level, event, ...details });
  }

  error(event: string, error: unknown): string {
    const isDiagnostic = error instanceof DiagnosticError;
    const why = isDiagnostic ? { diagnostics: error.diagnostics } : { message: messageOf(error) };
    return this.event('error', event, why);
  }
}

class LineFormat {
  readonly #paint: Paint;
  readonly #now: () => number;
  readonly #timeOfDay = keepLast(
    (second: number) => `  ${this.#paint('dim', toTimeOfDay(second * 1000))}`,
  );

  constructor({ hasColor, now }: LogSettings) {
    this.#paint = createPaint(hasColor);
    this.#now = now;
  }

  exchange(exchange: Exchange, target: string): string {
    const { status, source, problem, deviations, fault, milliseconds, session, number } = exchange;
    const { method } = exchange.request;
    const color = fault !== undefined || status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green';
    const what = this.#paint(color, fault ?? String(status));
    const dim = (text: string): string => this.#paint('dim', text);
    const sentences = problem === undefined ? deviations : [problem.message, ...deviations];
    const reason = sentences.map((one) => `\n      ${escapeControls(one)}`).join('');
    const request = `${escapeControls(method)} ${escapeControls(target)}`;
    const inside = session === DEFAULT_SESSION ? '' : ` ${dim(`in ${session}`)}`;
    const details = `${dim(source)} ${dim(`${milliseconds.toFixed(1)} ms`)}`;
    return `${this.#begin()} ${dim(`#${number}`)} ${what} ${request}${inside} ${details}${reason}`;
  }

  event(level: LogLevel, event: string, details: Readonly<Record<string, unknown>>): string {
    const described = Object.entries(details).flatMap(([name, value]) =>
      Array.isArray(value) ? value.map(String) : [`${name} ${String(value)}`],
    );
    const text = escapeControls(event);
    const painted = level === 'warn' ? this.#paint('yellow', text) : text;
    const more = described.length === 0 ? '' : `: ${escapeControls(described.join(', '))}`;
    return `${this.#begin()} ${painted}${more}`;
  }

  error(event: string, error: unknown): string {
    const reason =
      error instanceof DiagnosticError
        ? error.diagnostics.map(formatDiagnostic).join('\n  ')
        : escapeControls(messageOf(error));
    return `${this.#begin()} ${this.#paint('red', event)}\n  ${reason}`;
  }

  /** Returns the time of day, in the zone of the terminal. */
  #begin(): string {
    return this.#timeOfDay(Math.floor(this.#now() / 1000));
  }
}

function describeAttribution({ culprit, confidence, reason }: Attribution): string {
  return `${culprit}; confidence=${confidence}: ${reason}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
