import { type Awaitable, after } from '../../base/awaitable.ts';
import { getMember, type JsonObject, type JsonValue, setMember } from '../../base/json/value.ts';
import { plain } from '../../base/words.ts';
import { findContent } from '../../contract/content.ts';
import { fillTemplate } from '../../contract/path-template.ts';
import { readContentType } from '../../media/content-type.ts';
import { readFileParts } from '../../media/multipart-codec.ts';
import type { ValidRequest } from '../../request/request.ts';
import type { DownloadMeaning, UploadMeaning } from '../../resources/meaning.ts';
import type { Change, Stored } from '../../state/store.ts';
import { type Outcome, toCandidate } from '../response.ts';
import { requireStored } from './find-stored.ts';
import { keysInPath } from './path-keys.ts';
import type { StateRequest } from './state-request.ts';

interface SentFile {
  /** The name of its part; undefined for a whole body. */
  readonly part: string | undefined;
  readonly name: string | undefined;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export function findFile({ body, fields, rawBody }: ValidRequest): SentFile | undefined {
  const isCoded = fields.get('content-encoding') !== undefined;
  if (body === undefined || body.content.isJson || rawBody === 'too-large' || isCoded) {
    return undefined;
  }
  const contentType = readContentType(fields.get('content-type') ?? body.content.sentAs);
  if (contentType.type === 'multipart/form-data') return readFileParts(rawBody, contentType)[0];
  if (typeof body.value !== 'string') return undefined;
  const disposition = fields.get('content-disposition') ?? '';
  const name = /filename="?([^";]+)/i.exec(disposition)?.[1] ?? fields.get('x-filename');
  return { part: undefined, name, mediaType: contentType.type, bytes: rawBody };
}

/** The collection of files, in base64. */
const FILES = '$files';

export function storeFile(owner: string, { name, mediaType, bytes }: SentFile): Change {
  const content = Buffer.from(bytes).toString('base64');
  const resource = { mediaType, content, name: name ?? null };
  return { collection: FILES, key: owner, expected: 'any', resource };
}

export function fileOf(collection: string, key: string): string {
  return `${collection} ${key}`;
}

/** Sets the properties that describe a file, where the client does not: `size`, `mimeType`. */
export function describeFile(request: StateRequest, file: SentFile, resource: JsonObject): void {
  const { contract } = request.material;
  for (const [property, { pointer }] of request.facts.properties) {
    if (getMember(resource, property) !== undefined) continue;
    const schema = contract.schemas.schemaAt(pointer, 'response');
    const value = factOf(file, plain(property));
    if (value === undefined || !schema.accepts(value)) continue;
    setMember(resource, property, value);
  }
}

function factOf({ name, mediaType, bytes }: SentFile, word: string): JsonValue | undefined {
  if (/^(?:original|upload)?(?:filename|name)$|^title$/.test(word)) return name;
  if (/^(?:file|content)?(?:size|length)(?:in)?(?:bytes)?$|^bytes$/.test(word)) return bytes.length;
  return /^(?:content|mime|media|file)type$|^(?:mime|type)$/.test(word) ? mediaType : undefined;
}

/** `PUT /users/7/avatar`: stores the file. A later source responds. */
export function upload(request: StateRequest<UploadMeaning>): Outcome {
  const file = findFile(request);
  if (file === undefined) return undefined;
  const changes = [storeFile(fileOfPath(request), file)];
  return { candidate: undefined, effect: { changes: () => changes } };
}

function fileOfPath({ operation, pathParameters }: StateRequest): string {
  return fillTemplate(operation.path, (name) => JSON.stringify(pathParameters.get(name) ?? ''));
}

/** `GET /files/7/content`: responds with the stored file. */
export function download(request: StateRequest<DownloadMeaning>): Awaitable<Outcome> {
  const { meaning, store, collection } = request;
  if (meaning.isOfPath) {
    return after(store.get(FILES, fileOfPath(request)), (file) => file && send(request, file));
  }
  const keys = keysInPath(request);
  if (keys === undefined) return undefined;
  return after(requireStored(request, keys), (stored) => {
    const file = stored && store.get(FILES, fileOf(collection, stored.key));
    return after(file, (one) => one && send(request, one));
  });
}

function send({ operation }: StateRequest, { resource }: Stored): Outcome {
  const declared = operation.responses.success;
  const { mediaType, content } = resource;
  if (declared === undefined || typeof content !== 'string' || typeof mediaType !== 'string') {
    return undefined;
  }
  const { contents } = declared.response;
  const isDeclared = findContent(contents, readContentType(mediaType)) !== undefined;
  // The document decides: a file of another type is bytes of the declared one.
  const sentAs = isDeclared ? mediaType : (contents[0]?.sentAs ?? mediaType);
  const payload = {
    kind: 'text',
    mediaType: sentAs,
    text: Buffer.from(content, 'base64'),
  } as const;
  return toCandidate('state', declared, payload);
}
