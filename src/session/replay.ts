import { splitOutsideQuotes, toFieldString } from '../http/message.ts';

/** An earlier call, as `Mock-Replay` names it: its random numbers, its moment and its rules. */
export interface Replay {
  readonly seed: string;
  readonly call: number;
  /** Milliseconds since 1970, by the session's clock. */
  readonly at: number | undefined;
  readonly operation: string | undefined;
  /** The names of the rules that made it fail, in their order. */
  readonly rules: readonly string[];
}

/** Returns true where a replay is for this operation; one that names no operation is for any. */
export function isReplayOf(replay: Replay | undefined, operation: string): replay is Replay {
  if (replay === undefined) return false;
  return replay.operation === undefined || replay.operation === operation;
}

/**
 * Reads a dictionary of structured fields (RFC 9651 §3.2):
 * `seed="coldframe", call=17, at=1767225600000, operation="createPlant", rules="flaky"`.
 *
 * @returns undefined where seed or call is missing or malformed
 */
export function readReplay(field: string): Replay | undefined {
  const members = new Map<string, string>();
  for (const part of splitOutsideQuotes(field, ',')) {
    const [, name = '', quoted, plain] = MEMBER.exec(part.trim()) ?? [];
    const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? plain;
    if (value !== undefined) members.set(name, value);
  }
  const [seed, at, rules = ''] = ['seed', 'at', 'rules'].map((name) => members.get(name));
  const call = Number(members.get('call'));
  if (seed === undefined || !Number.isSafeInteger(call) || call < 1) return undefined;
  if (at !== undefined && !/^-?\d{1,15}$/.test(at)) return undefined;
  return {
    seed,
    call,
    at: at === undefined ? undefined : Number(at),
    operation: members.get('operation'),
    rules: rules.split(' ').filter((name) => name !== ''),
  };
}

const MEMBER = /^([a-z]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s"]+))$/;

/** Returns the value of `Mock-Replay` that {@link readReplay} reads. */
export function writeReplay({ seed, call, at, operation, rules }: Replay): string {
  const members = [`seed=${toFieldString(seed)}`, `call=${call}`];
  if (at !== undefined) members.push(`at=${Math.round(at)}`);
  if (operation !== undefined) members.push(`operation=${toFieldString(operation)}`);
  if (rules.length > 0) members.push(`rules=${toFieldString(rules.join(' '))}`);
  return members.join(', ');
}
