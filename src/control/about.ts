import { toJson } from '../base/json/stringify.ts';
import type { JsonObject } from '../base/json/value.ts';
import { Problem } from '../base/problem.ts';
import { bundle } from '../contract/bundle.ts';
import { writeYaml } from '../document/yaml.ts';
import { rankMediaTypes } from '../http/media-type.ts';
import { REDACTED } from '../journal/redact/secrets.ts';
import { describeStore } from '../redis/redis-url.ts';
import { formatSummary } from '../report/summary.ts';
import type { Settings } from '../settings/settings.ts';
import {
  type ControlCall,
  type ControlOperations,
  type ControlResponse,
  type ControlSettings,
  jsonResponse,
  textResponse,
  unknownName,
} from './call.ts';
import { ROOT } from './control-target.ts';

/** Health, version, settings and documents of the running mock. */
export const aboutOperations: ControlOperations = {
  // `createControl` answers most health checks before it routes; an encoded path arrives here.
  getHealth: ({ settings }) => checkHealth('/__admin/health', settings),
  getLiveness: ({ settings }) => checkHealth('/__admin/health/live', settings),
  getReadiness: ({ settings }) => checkHealth(READY, settings),
  getVersion: ({ settings }) => jsonResponse({ version: settings.version }),
  getDocument: (call) => jsonResponse(readDocument(call)),
  getDocumentAsYaml: (call) => textResponse(writeYaml(readDocument(call)), YAML),
  /** Returns the summary of the run as JSON or, for `Accept: text/plain`, as text. */
  getSummary({ settings, request }) {
    const summary = settings.summarize();
    const [type] = rankMediaTypes(request.fields.get('accept'), ['application/json', 'text/plain']);
    if (type !== 'text/plain') return jsonResponse(toJson(summary));
    return textResponse(formatSummary(summary, false), 'text/plain; charset=utf-8');
  },
  async getControlDocumentAsYaml({ settings }) {
    const { text } = await settings.document();
    return textResponse(text, YAML);
  },
  async getControlDocument({ settings }) {
    const { contract } = await settings.document();
    return jsonResponse(contract.document.root);
  },
};

const YAML = 'application/yaml';
const READY = `${ROOT}/health/ready`;

export async function checkHealth(
  path: string,
  { pipeline, sessions, closing }: ControlSettings,
): Promise<ControlResponse> {
  if (path === READY) {
    if (closing.aborted) throw new Problem('CLOSING', 'the mock finishes open requests and exits');
    await checkStore(sessions);
  }
  const { contract } = pipeline();
  return jsonResponse({
    status: 'ok',
    document: { title: contract.title, version: contract.version },
    operations: contract.operations.length,
  });
}

/** Any error means "not ready" to the caller, so every error becomes a problem. */
async function checkStore(sessions: ControlSettings['sessions']): Promise<void> {
  try {
    await sessions.check();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Problem('STORE_UNAVAILABLE', reason, { cause: error });
  }
}

function readDocument(call: ControlCall): JsonObject {
  const { contract } = call.pipeline;
  const { document } = contract;
  const number = call.number('document') ?? 1;
  const entry = document.entries[number - 1];
  if (entry === undefined) {
    const numbers = document.entries.map(
      ({ place }, index) => `${index + 1}: ${String(document.at(`${place}/info/title`) ?? '')}`,
    );
    throw unknownName('UNKNOWN_DOCUMENT', 'document', String(number), numbers);
  }
  return bundle(document, entry, call.mockUrl + contract.basePathOf({ root: entry.place }));
}

/** Returns every setting by its name; a secret is redacted. */
export function describeSettings(settings: Settings): JsonObject {
  const { store, token, adminToken } = settings;
  const shown = {
    ...settings,
    store: describeStore(store),
    token: token.map(() => REDACTED),
    adminToken: adminToken === '' ? '' : REDACTED,
  };
  // JSON has no Infinity: a setting without a limit is null.
  return toJson(shown) as JsonObject;
}
