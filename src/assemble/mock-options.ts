import { type Clock, systemClock } from '../base/clock.ts';
import { toJson } from '../base/json/stringify.ts';
import { isJsonObject } from '../base/json/value.ts';
import { createLog, guardLog, type Log, silentLog } from '../events/log.ts';
import { readConfiguration, UsageError } from '../settings/options.ts';
import { type DocumentName, defaultSettings, type Settings } from '../settings/settings.ts';

/** Every setting, by its name in a configuration file; a list of one needs no brackets. */
type GivenSettings = {
  readonly [Name in keyof Settings]?: Settings[Name] extends readonly string[]
    ? string | readonly string[] | undefined
    : Settings[Name] | undefined;
};

/** Settings of a mock in a program; what is left out is as on the command line. */
export interface MockOptions extends Omit<GivenSettings, 'document' | 'seed' | 'log'> {
  /** Paths and URLs of OpenAPI documents, or documents that are parsed. */
  readonly document?: string | object | readonly (string | object)[] | undefined;
  readonly seed?: string | number | undefined;
  /** True reloads when a file changes; false by default. */
  readonly watch?: boolean | undefined;
  /** The source of the time; the system's clock by default. */
  readonly clock?: Clock | undefined;
  /** Logs as the command line does, or calls your own log; `auto`, the default, logs nothing. */
  readonly log?: Log | Settings['log'] | undefined;
}

/** The options of a mock, read. */
export interface ReadOptions {
  readonly settings: Settings;
  readonly clock: Clock;
  readonly log: Log;
}

const CALLER = 'createMock';

/**
 * Reads the options of a mock. One that is undefined counts as missing.
 *
 * @throws {UsageError} for an unknown setting or an invalid value
 */
export function readOptions(options: MockOptions): ReadOptions {
  const { clock = systemClock, log = 'silent', document, ...given } = options;
  const defaults: Readonly<Record<string, unknown>> = { ...defaultSettings };
  // An empty text is the default of many settings, and means "none".
  const present = Object.entries(given).filter(
    ([name, value]) => value !== undefined && !(value === '' && defaults[name] === ''),
  );
  const settings: Settings = {
    ...defaultSettings,
    watch: false,
    ...readConfiguration(Object.fromEntries(present), CALLER),
    ...(document !== undefined && {
      document: Array.isArray(document) ? document.map(readDocument) : readDocument(document),
    }),
  };
  return { settings, clock, log: openLog(log, settings, clock) };
}

function readDocument(given: unknown): DocumentName {
  if (typeof given === 'string' && given !== '') return given;
  if (given instanceof URL) return given.href;
  const value = typeof given === 'object' ? readObject(given) : undefined;
  if (isJsonObject(value)) return value;
  throw new UsageError(`${CALLER}: document must be a path, a URL or an OpenAPI document`);
}

function readObject(given: object | null) {
  try {
    return toJson(given);
  } catch (error) {
    const reason =
      error instanceof RangeError
        ? 'it contains itself; pass it as it was before its references were replaced'
        : String(error);
    throw new UsageError(`${CALLER}: the document is no JSON: ${reason}`);
  }
}

/** @throws {UsageError} for a form of log that does not exist */
function openLog(log: Log | string, { verboseLevel }: Settings, { now }: Clock): Log {
  if (typeof log !== 'string') return guardLog(log);
  if (log === 'silent' || log === 'auto') return silentLog;
  if (log !== 'pretty' && log !== 'json') {
    throw new UsageError(`createMock: log must be pretty, json, silent or a Log, got "${log}"`);
  }
  return createLog({
    level: verboseLevel,
    form: log === 'pretty' ? 'lines' : 'json',
    hasColor: false,
    // Test runners show it beside the test that wrote it.
    // biome-ignore lint/suspicious/noConsole: A user asked for it.
    write: (text) => console.log(text.trimEnd()),
    now,
  });
}
