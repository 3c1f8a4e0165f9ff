import { toPath, toPointer } from '../base/json/pointer.ts';
import {
  getMember,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  mapMembers,
  setMember,
} from '../base/json/value.ts';
import { DiagnosticError } from './diagnostic.ts';
import { type Place, toReference } from './place.ts';
import type { Located, SourceDocument } from './source-document.ts';

type Part = Located<JsonObject>;
type MediaTypes = readonly string[];

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'];

/**
 * Converts OpenAPI 2.0 to 3.0. It refers to schemas instead of copying them, so that each is read
 * when it is used, and its faults are reported at its place.
 */
export class SwaggerConverter {
  readonly #document: SourceDocument;
  readonly #root: Place;
  readonly #swagger: JsonObject;
  readonly #origins = new Map<string, Place>();

  constructor(document: SourceDocument, root: Place) {
    this.#document = document;
    this.#root = root;
    const swagger = document.at(root);
    this.#swagger = isJsonObject(swagger) ? swagger : {};
  }

  convert(): JsonObject {
    return {
      openapi: '3.0.4',
      info: this.#swagger['info'] ?? {},
      servers: this.#convertServers(),
      ...take(this.#swagger, 'security', 'tags'),
      paths: this.#convertPaths(),
      components: { securitySchemes: this.#convertSecuritySchemes() },
    };
  }

  /** Returns the place of a part in the Swagger file, or of the nearest part around it. */
  originOf(pointer: string): Place {
    const path = toPath(pointer);
    for (let length = path.length; length > 0; length--) {
      const origin = this.#origins.get(toPointer(path.slice(0, length)));
      if (origin !== undefined) return origin + toPointer(path.slice(length));
    }
    return this.#root + pointer;
  }

  /** OAS 2.0 §Swagger Object: `schemes`, `host` and `basePath` became one URL. */
  #convertServers(): JsonValue[] {
    const { host, basePath, schemes } = this.#swagger;
    const path = typeof basePath === 'string' ? basePath : '';
    if (typeof host !== 'string') return path === '' ? [] : [{ url: path }];
    const list = Array.isArray(schemes) && schemes.length > 0 ? schemes : ['https'];
    return list.map((scheme) => ({ url: `${String(scheme)}://${host}${path}` }));
  }

  #convertPaths(): JsonObject {
    const paths: JsonObject = {};
    for (const [path, place] of this.#document.members(`${this.#root}/paths`)) {
      const at = `/paths${toPointer([path])}`;
      if (!path.startsWith('/')) continue;
      const item = this.#convertAt(place, at, (part) => this.#convertItem(part, at));
      setMember(paths, path, item);
    }
    return paths;
  }

  /** Resolves a reference; one that leads to nothing is kept, as reading the operation reports it. */
  #resolve(place: Place): Part {
    const unread = { value: { $ref: toReference(place) }, pointer: place };
    try {
      return this.#document.resolveObject(place) ?? unread;
    } catch (error) {
      if (error instanceof DiagnosticError) return unread;
      throw error;
    }
  }

  #convertAt(place: Place, at: string, convert: (part: Part) => JsonObject): JsonObject {
    const part = this.#resolve(place);
    this.#origins.set(at, part.pointer);
    return isUnread(part) ? part.value : convert(part);
  }

  #convertItem(item: Part, at: string): JsonObject {
    const converted: JsonObject = {};
    const shared = this.#parametersOf(item);
    for (const method of METHODS) {
      if (!isJsonObject(getMember(item.value, method))) continue;
      const [place, pointer] = [item.pointer + toPointer([method]), `${at}/${method}`];
      converted[method] = this.#convertAt(place, pointer, (operation) =>
        this.#convertOperation(operation, shared, pointer),
      );
    }
    return converted;
  }

  #parametersOf(owner: Part): Part[] {
    const { parameters } = owner.value;
    if (!Array.isArray(parameters)) return [];
    return parameters.map((_, index) => this.#resolve(`${owner.pointer}/parameters/${index}`));
  }

  #convertOperation(operation: Part, shared: readonly Part[], at: string): JsonObject {
    const { consumes, produces, parameters: _, responses, ...rest } = operation.value;
    const all = override(shared, this.#parametersOf(operation));
    const plain = all.filter(({ value }) => value['in'] !== 'body' && !isFormField(value));
    const body = this.#convertBody(all, this.#mediaTypes(consumes, 'consumes'), at);
    plain.forEach(({ pointer }, index) => {
      this.#origins.set(`${at}/parameters/${index}`, pointer);
    });
    return {
      ...rest,
      parameters: plain.map(convertParameter),
      ...(body !== undefined && { requestBody: body }),
      responses: isJsonObject(responses)
        ? this.#convertResponses(operation.pointer, this.#mediaTypes(produces, 'produces'), at)
        : {},
    };
  }

  #mediaTypes(own: JsonValue | undefined, name: 'consumes' | 'produces'): MediaTypes {
    const list = own ?? this.#swagger[name];
    return Array.isArray(list) ? list.map(String) : [];
  }

  #convertBody(parameters: readonly Part[], consumes: MediaTypes, at: string) {
    const body = parameters.find(({ value }) => value['in'] === 'body');
    if (body === undefined) return convertFormFields(parameters, consumes);
    this.#origins.set(`${at}/requestBody`, body.pointer);
    const types = consumes.length > 0 ? consumes : ['application/json'];
    const schema = { $ref: toReference(`${body.pointer}/schema`) };
    const content = Object.fromEntries(
      types.map((type) => [type, body.value['schema'] === undefined ? {} : { schema }]),
    );
    return { required: body.value['required'] === true, content };
  }

  #convertResponses(operation: Place, produces: MediaTypes, at: string): JsonObject {
    const converted: JsonObject = {};
    for (const [key, place] of this.#document.members(`${operation}/responses`)) {
      const pointer = `${at}/responses${toPointer([key])}`;
      converted[key] = this.#convertAt(place, pointer, (response) =>
        this.#convertResponse(response, produces, pointer),
      );
    }
    return converted;
  }

  #convertResponse(response: Part, produces: MediaTypes, at: string): JsonObject {
    const { schema, examples, headers, description } = response.value;
    const given = isJsonObject(examples) ? examples : {};
    const declared = produces.length > 0 ? produces : Object.keys(given);
    const types = declared.length > 0 ? declared : [isFile(schema) ? BYTES : 'application/json'];
    const content: JsonObject = {};
    for (const type of schema === undefined ? Object.keys(given) : types) {
      const example = getMember(given, type);
      content[type] = {
        ...(schema !== undefined && {
          schema: { $ref: toReference(`${response.pointer}/schema`) },
        }),
        ...(example !== undefined && { example }),
      };
      if (example !== undefined) {
        const place = `${response.pointer}/examples${toPointer([type])}`;
        this.#origins.set(`${at}/content${toPointer([type])}/example`, place);
      }
    }
    return {
      description: description ?? '',
      ...(isJsonObject(headers) && { headers: convertHeaders(headers, response.pointer) }),
      ...(Object.keys(content).length > 0 && { content }),
    };
  }

  #convertSecuritySchemes(): JsonObject {
    const converted: JsonObject = {};
    for (const [name, place] of this.#document.members(`${this.#root}/securityDefinitions`)) {
      const scheme = this.#resolve(place);
      if (isUnread(scheme)) continue;
      const pointer = `/components/securitySchemes${toPointer([name])}`;
      this.#origins.set(pointer, scheme.pointer);
      setMember(converted, name, convertSecurityScheme(scheme.value));
    }
    return converted;
  }
}

/** True for a reference that was kept. */
function isUnread({ value }: Part): boolean {
  return typeof value['$ref'] === 'string';
}

const BYTES = 'application/octet-stream';

function isFile(schema: JsonValue | undefined): boolean {
  return isJsonObject(schema) && schema['type'] === 'file';
}

/** Merges parameters: those of the operation override those of the path. */
function override(shared: readonly Part[], own: readonly Part[]): Part[] {
  const keyOf = ({ value, pointer }: Part): string =>
    value['in'] === undefined ? pointer : `${String(value['in'])} ${String(value['name'])}`;
  const keys = new Set(own.map(keyOf));
  return [...shared.filter((one) => !keys.has(keyOf(one))), ...own];
}

function convertHeaders(headers: JsonObject, response: Place): JsonObject {
  return mapMembers(headers, (_, name) => {
    const place = `${response}/headers${toPointer([name])}`;
    return { schema: { $ref: toReference(place) } };
  });
}

function convertSecurityScheme(scheme: JsonObject): JsonObject {
  if (scheme['type'] === 'basic') return { type: 'http', scheme: 'basic' };
  if (scheme['type'] !== 'oauth2') return scheme;
  const names: Readonly<Record<string, string>> = {
    application: 'clientCredentials',
    accessCode: 'authorizationCode',
  };
  const name = names[String(scheme['flow'])] ?? String(scheme['flow']);
  const flow = { ...take(scheme, 'authorizationUrl', 'tokenUrl'), scopes: scheme['scopes'] ?? {} };
  return { type: 'oauth2', flows: { [name]: flow } };
}

function take(object: JsonObject, ...names: readonly string[]): JsonObject {
  const entries = names.map((name) => [name, object[name]] as const);
  return Object.fromEntries(
    entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
}

function isFormField(parameter: JsonObject): boolean {
  return parameter['in'] === 'formData';
}

/** Converts a Parameter Object of 2.0, other than of the body; it is its own schema. */
function convertParameter(parameter: Part): JsonValue {
  const { value, pointer } = parameter;
  if (isUnread(parameter)) return value;
  return {
    ...take(value, 'name', 'in', 'required', 'allowEmptyValue'),
    ...styleOf(value),
    schema: { $ref: toReference(pointer) },
  };
}

/** Converts `collectionFormat` to a style (OAS 2.0 §Parameter Object, 3.0 §4.7.12.3). */
function styleOf({ type, collectionFormat, in: location }: JsonObject): JsonObject {
  if (type !== 'array') return {};
  const isNamed = location === 'query' || location === 'formData';
  switch (collectionFormat) {
    case 'multi':
      return isNamed ? { style: 'form', explode: true } : {};
    case 'ssv':
      return { style: 'spaceDelimited', explode: false };
    case 'pipes':
      return { style: 'pipeDelimited', explode: false };
    case 'tsv':
      return { style: 'form', explode: false, 'x-collectionFormat': 'tsv' };
    default:
      return isNamed ? { style: 'form', explode: false } : {};
  }
}

/** OAS 2.0 Parameter Object: a field may be empty only with `allowEmptyValue`. */
function fieldSchema({ value, pointer }: Part): JsonObject {
  const schema = { $ref: toReference(pointer) };
  const mayBeEmpty = value['type'] !== 'string' || value['allowEmptyValue'] === true;
  return mayBeEmpty ? schema : { allOf: [schema, { minLength: 1 }] };
}

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data';

/** Returns a Request Body Object for the fields of a form; undefined without fields. */
function convertFormFields(parameters: readonly Part[], consumes: MediaTypes) {
  const fields = parameters.filter(({ value }) => isFormField(value));
  if (fields.length === 0) return undefined;
  const required = fields.filter(({ value }) => value['required'] === true);
  const entries = fields.map((field) => [String(field.value['name']), fieldSchema(field)] as const);
  const encoding = fields.flatMap(({ value }) => {
    const style = styleOf(value);
    return Object.keys(style).length === 0 ? [] : [[String(value['name']), style] as const];
  });
  const content = {
    schema: {
      type: 'object',
      properties: Object.fromEntries(entries),
      ...(required.length > 0 && { required: required.map(({ value }) => String(value['name'])) }),
    },
    ...(encoding.length > 0 && { encoding: Object.fromEntries(encoding) }),
  };
  const hasFile = fields.some(({ value }) => value['type'] === 'file');
  const declared = consumes.filter((type) => type === FORM || type === MULTIPART);
  const types = declared.length > 0 ? declared : [hasFile ? MULTIPART : FORM];
  return {
    required: required.length > 0,
    content: Object.fromEntries(types.map((type) => [type, content])),
  };
}
