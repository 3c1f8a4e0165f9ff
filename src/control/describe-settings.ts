import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { REDACTED } from '../journal/redact/redaction.ts';
import { describeStore } from '../redis/describe-store.ts';
import type { Settings } from '../settings/settings.ts';

/** Settings whose values let somebody in. */
const SECRETS: ReadonlySet<string> = new Set(['tokens', 'adminToken'] satisfies (keyof Settings)[]);

/** @returns every setting by its name; of a secret only whether there is one */
export function describeSettings(settings: Settings): JsonObject {
  return Object.fromEntries(
    Object.entries({ ...settings, store: describeStore(settings.store) }).flatMap(
      ([name, value]) => {
        const shown = toJson(value);
        if (shown === undefined) return [];
        return [[name, SECRETS.has(name) ? redact(shown) : shown]];
      },
    ),
  );
}

function redact(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(() => REDACTED);
  return value === null || value === '' ? value : REDACTED;
}

/** Infinity is no limit, which JSON says with null. */
function toJson(value: unknown): JsonValue | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.flatMap((item) => toJson(item) ?? []);
  return isJsonObject(value) ? value : undefined;
}
