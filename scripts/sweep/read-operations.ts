import { type Description, type Located, NotJudged, type Place } from './description.ts';
import { isMembers, type Json, member } from './json.ts';
import type {
  Content,
  Header,
  Operation,
  Parameter,
  ParameterPlace,
  Response,
} from './operation.ts';
import { readSecurity } from './read-security.ts';
import { readFormBody } from './read-swagger.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

/** An operation that cannot be read, and why. */
export interface Unread {
  readonly id: string;
  readonly reason: string;
}

/** Reads the operations of `paths`. A path or operation that cannot be read is told apart. */
export function readOperations(description: Description): {
  readonly operations: readonly Operation[];
  readonly unread: readonly Unread[];
} {
  const operations: Operation[] = [];
  const unread: Unread[] = [];
  const paths = member(description.root.value, 'paths');
  for (const path of Object.keys(isMembers(paths) ? paths : {})) {
    if (!path.startsWith('/')) continue;
    try {
      const item = description.member(description.root, 'paths', path);
      for (const [method, operation] of listMethods(description, item)) {
        try {
          operations.push(readOperation(description, path, method, item, operation));
        } catch (error) {
          unread.push({ id: `${method} ${path}`, reason: reasonOf(error) });
        }
      }
    } catch (error) {
      unread.push({ id: path, reason: reasonOf(error) });
    }
  }
  return { operations, unread };
}

function reasonOf(error: unknown): string {
  return error instanceof NotJudged ? error.message : String(error).slice(0, 120);
}

function listMethods(
  description: Description,
  item: Located | undefined,
): readonly [string, Located][] {
  const known = METHODS.flatMap((method): [string, Located][] => {
    const operation = description.member(item, method);
    return operation !== undefined && isMembers(operation.value)
      ? [[method.toUpperCase(), operation]]
      : [];
  });
  return [...known, ...description.members(item, 'additionalOperations')];
}

function readOperation(
  description: Description,
  path: string,
  method: string,
  item: Located | undefined,
  operation: Located,
): Operation {
  const isSwagger = description.version === '2.0';
  const all = mergeParameters(description, item, operation);
  const parameters = all.flatMap((parameter) => readParameter(description, parameter));
  return {
    method,
    path,
    basePath: readBasePath(description, item, operation),
    parameters: parameters.filter((parameter) => !isIgnored(parameter)),
    body: isSwagger ? readFormBody(description, operation, all) : readBody(description, operation),
    responses: description
      .members(operation, 'responses')
      .filter(([key]) => !key.startsWith('x-'))
      .map(([key, response]) => readResponse(description, key, response, operation)),
    security: readSecurity(description, operation),
  };
}

/** OAS 3.1 §4.8.12.2.1: these header parameters are ignored. */
function isIgnored(parameter: Parameter): boolean {
  // The length, the host and the form of a message are for whatever sends it, not for a caller.
  const ignored = [
    ...['accept', 'content-type', 'authorization'],
    ...['content-length', 'host', 'transfer-encoding', 'connection'],
  ];
  return parameter.in === 'header' && ignored.includes(parameter.name.toLowerCase());
}

function mergeParameters(
  description: Description,
  item: Located | undefined,
  operation: Located,
): Located[] {
  const merged = new Map<string, Located>();
  for (const owner of [item, operation]) {
    for (const [, parameter] of description.members(owner, 'parameters')) {
      const { in: place, name } = isMembers(parameter.value) ? parameter.value : {};
      merged.set(`${place} ${name}`, parameter);
    }
  }
  return [...merged.values()];
}

const STYLES: Readonly<Record<ParameterPlace, string>> = {
  path: 'simple',
  header: 'simple',
  query: 'form',
  cookie: 'form',
  querystring: 'form',
};

function readParameter(description: Description, parameter: Located): Parameter[] {
  const {
    name,
    in: where,
    required,
    style,
    explode,
  } = isMembers(parameter.value) ? parameter.value : {};
  if (typeof name !== 'string' || typeof where !== 'string' || !(where in STYLES)) return [];
  const place = where as ParameterPlace;
  const common = {
    name,
    in: place,
    required: required === true || place === 'path',
    owner: parameter,
  };
  if (description.version === '2.0') {
    return [{ ...common, ...readCollection(parameter), schema: parameter, mediaType: undefined }];
  }
  const [content] = readContents(description, parameter);
  const chosen = typeof style === 'string' ? style : STYLES[place];
  return [
    {
      ...common,
      style: chosen,
      explode: typeof explode === 'boolean' ? explode : chosen === 'form',
      schema: content === undefined ? placeOf(description, parameter, 'schema') : content.schema,
      mediaType: content?.mediaType,
      owner: content?.owner ?? parameter,
    },
  ];
}

const COLLECTIONS: Readonly<Record<string, string>> = {
  ssv: 'spaceDelimited',
  pipes: 'pipeDelimited',
  tsv: 'tabDelimited',
};

function readCollection(parameter: Located): { style: string; explode: boolean } {
  const { collectionFormat, in: where } = isMembers(parameter.value) ? parameter.value : {};
  const plain = where === 'query' || where === 'formData' ? 'form' : 'simple';
  return {
    style: COLLECTIONS[String(collectionFormat)] ?? plain,
    explode: collectionFormat === 'multi',
  };
}

function readBody(description: Description, operation: Located): Operation['body'] {
  const body = description.member(operation, 'requestBody');
  if (body === undefined) return undefined;
  const contents = readContents(description, body);
  return { required: member(body.value, 'required') === true, contents };
}

function readContents(description: Description, owner: Located): Content[] {
  return description.members(owner, 'content').map(([mediaType, content]) => ({
    mediaType,
    schema: placeOf(description, content, 'schema'),
    itemSchema: placeOf(description, content, 'itemSchema'),
    owner: content,
  }));
}

/** @returns where a schema stands, its own reference not followed */
function placeOf(description: Description, owner: Located, name: string): Place | undefined {
  const place = { file: owner.file, pointer: `${owner.pointer}/${name}` };
  return description.at(place) === undefined ? undefined : place;
}

function readResponse(
  description: Description,
  key: string,
  response: Located,
  operation: Located,
): Response {
  const isSwagger = description.version === '2.0';
  const headers = description.members(response, 'headers').map(([name, header]): Header => {
    const [content] = readContents(description, header);
    return {
      name,
      required: member(header.value, 'required') === true,
      schema: isSwagger ? header : (content?.schema ?? placeOf(description, header, 'schema')),
      mediaType: content?.mediaType,
    };
  });
  return {
    key,
    contents: isSwagger
      ? readSwaggerContents(description, response, operation)
      : readContents(description, response),
    headers: headers.filter(({ name }) => name.toLowerCase() !== 'content-type'),
  };
}

function readSwaggerContents(
  description: Description,
  response: Located,
  operation: Located,
): Content[] {
  const schema = placeOf(description, response, 'schema');
  const examples = Object.keys(member(response.value, 'examples') ?? {});
  if (schema === undefined && examples.length === 0) return [];
  const produces =
    member(operation.value, 'produces') ?? member(description.root.value, 'produces');
  const listed = Array.isArray(produces) ? produces.filter((one) => typeof one === 'string') : [];
  // OAS 2.0 names no default: an example's type is declared by being there.
  const types = new Set<string>([...listed, ...(listed.length === 0 ? examples : [])]);
  if (types.size === 0) types.add(isFile(description, schema) ? '*/*' : 'application/json');
  return [...types].map((mediaType) => {
    return { mediaType, schema, itemSchema: undefined, owner: response };
  });
}

function isFile(description: Description, schema: Place | undefined): boolean {
  return schema !== undefined && member(description.at(schema)?.value, 'type') === 'file';
}

/** The nearest list of servers counts; its first server is taken, its variables at their default. */
function readBasePath(
  description: Description,
  item: Located | undefined,
  operation: Located,
): string {
  if (description.version === '2.0') {
    const basePath = member(description.root.value, 'basePath');
    return typeof basePath === 'string' ? basePath.replace(/\/+$/, '') : '';
  }
  const lists = [operation, item, description.root].map((owner) => member(owner?.value, 'servers'));
  const list = lists.find((one) => Array.isArray(one) && one.length > 0);
  const server: Json = Array.isArray(list) ? (list[0] ?? null) : null;
  const url = String(member(server, 'url') ?? '').replace(/\{([^}]*)\}/g, (_, name: string) =>
    String(member(member(member(server, 'variables'), name), 'default') ?? ''),
  );
  if (!URL.canParse(url, 'http://localhost/')) return '';
  return new URL(url, 'http://localhost/').pathname.replace(/\/+$/, '');
}
