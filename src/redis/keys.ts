import { nameSnapshotStore, splitSnapshotStore } from '../state/store.ts';

/** Percent-encodes what separates the parts of a key, so that different texts stay different. */
export function escapeName(name: string): string {
  if (PLAIN.test(name)) return name;
  // UTF-8 cannot encode a lone surrogate.
  if (name.isWellFormed()) return escapeText(name);
  return name.replaceAll(/\p{Surrogate}|\P{Surrogate}+/gu, (part) =>
    part.isWellFormed() ? escapeText(part) : `~${part.charCodeAt(0).toString(16)}`,
  );
}

/** Returns the name that {@link escapeName} was given; undefined for a text that it never gives. */
export function unescapeName(text: string): string | undefined {
  try {
    // `decodeURIComponent` leaves lone surrogates as they are.
    return decodeURIComponent(
      text.replaceAll(/~(d[89a-f][0-9a-f]{2})/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      ),
    );
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

/** Returns the key of a resource as a line that UTF-8 can encode; mostly the key itself. */
export function escapeKey(key: string): string {
  const isPlain = key.isWellFormed() && !key.includes('\n') && !key.startsWith(MARK);
  return isPlain ? key : MARK + escapeName(key);
}

/** Returns the key that {@link escapeKey} was given; undefined for a text that it never gives. */
export function unescapeKey(text: string): string | undefined {
  return text.startsWith(MARK) ? unescapeName(text.slice(MARK.length)) : text;
}

/** No key that a JSON text holds begins like this. */
const MARK = '\u0000~';
/** Nothing in it is escaped. */
const PLAIN = /^[\w.-]*$/;

function escapeText(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

export type SessionKeys = ReturnType<typeof keysOf>;

/**
 * Returns the keys of a session besides those of its stores, and the channel of its journal. All
 * keys of a session have the same hash tag, so that a Redis Cluster keeps them in one slot, where a
 * script may change them: `{coldframe:a1}:journal`.
 */
export function keysOf(namespace: string, session: string) {
  const tag = `{${escapeName(namespace)}:${escapeName(session)}}:`;
  return {
    tag,
    // The session itself: no other part is created without it.
    main: `${tag}session`,
    counters: `${tag}counters`,
    scenarios: `${tag}scenarios`,
    snapshots: `${tag}snapshots`,
    // The set of the stores that the session has.
    stores: `${tag}stores`,
    // The list of exchanges.
    journal: `${tag}journal`,
    // The hash of the counts of the journal.
    journalInfo: `${tag}journal-info`,
    exchanges: `${tag}exchanges`,
  };
}

/** Returns a key or a channel that all sessions share: `coldframe:sessions`. */
export function globalKey(namespace: string, name: string): string {
  return `${escapeName(namespace)}:${name}`;
}

/**
 * Returns the keys of a store, which begin with `prefix`, and those of its session. `part` is what
 * names the store in its session: empty, or `/` and the escaped snapshot.
 */
export function keysOfStore(namespace: string, name: string) {
  const [session, snapshot] = splitSnapshotStore(name);
  const { tag, main, stores } = keysOf(namespace, session);
  const part = snapshot === undefined ? '' : `/${escapeName(snapshot)}`;
  const prefix = `${tag}state${part}`;
  return { session, part, main, stores, prefix, meta: metaOf(prefix) };
}

/** Returns the key of a store's own hash. */
export function metaOf(prefix: string): string {
  return `${prefix}:meta`;
}

/** Returns the name of a store by its part; undefined for a part that no store has. */
export function nameOfStore(session: string, part: string): string | undefined {
  if (part === '') return session;
  const snapshot = unescapeName(part.slice(1));
  return snapshot === undefined ? undefined : nameSnapshotStore(session, snapshot);
}
