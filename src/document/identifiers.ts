import { toPointer } from '../base/json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { remember } from '../base/remember.ts';
import { type Place, splitPlace, toPlace } from './place.ts';

/** Identifiers of schemas (JSON Schema Core §8.2): `$id`, `$anchor`, `$dynamicAnchor`. */
export class Identifiers {
  /** Places of schemas by their absolute `$id`. */
  readonly #resources = new Map<string, Place>();
  /** Absolute `$id`s by place. */
  readonly #uris = new Map<Place, string>();
  /** Places of anchors by `place of the resource # name`. */
  readonly #anchors = new Map<string, Place>();
  readonly #dynamicAnchors = new Map<Place, Map<string, Place>>();

  /** Adds those of a file by its index and URI. */
  add(index: number, uri: string, root: JsonValue): void {
    this.#collect(root, toPlace(index, ''), toPlace(index, ''), uri);
  }

  find(uri: string): Place | undefined {
    return this.#resources.get(uri);
  }

  /** Returns the nearest schema with an `$id` around a place, and that absolute `$id`. */
  resourceAround(place: Place): { readonly place: Place; readonly uri: string } | undefined {
    if (this.#uris.size === 0) return undefined;
    const { file, pointer } = splitPlace(place);
    for (let end = pointer.length; ; end = pointer.lastIndexOf('/', end - 1)) {
      const around = toPlace(file, pointer.slice(0, end));
      const uri = this.#uris.get(around);
      if (uri !== undefined) return { place: around, uri };
      if (end === 0) return undefined;
    }
  }

  /** @param resource place of the schema with an `$id`, or of a file's root */
  anchor(resource: Place, name: string): Place | undefined {
    return this.#anchors.get(`${resource}#${name}`);
  }

  get hasDynamicAnchors(): boolean {
    return this.#dynamicAnchors.size > 0;
  }

  dynamicAnchors(resource: Place): ReadonlyMap<string, Place> | undefined {
    return this.#dynamicAnchors.get(resource);
  }

  #collect(value: JsonValue, place: Place, resource: Place, base: string): void {
    if (!isJsonObject(value) && !Array.isArray(value)) return;
    let [around, uri] = [resource, base];
    const schema = isJsonObject(value) ? value : {};
    const { $id: id } = schema;
    if (typeof id === 'string' && !place.endsWith('/properties')) {
      uri = resolveUri(id, base) ?? base;
      around = place;
      this.#resources.set(uri, place);
      this.#uris.set(place, uri);
    }
    this.#name(schema, place, around);
    for (const [key, member] of Object.entries<JsonValue>(value)) {
      if (!DATA.has(key)) this.#collect(member, place + toPointer([key]), around, uri);
    }
  }

  #name({ $anchor: anchor, $dynamicAnchor: dynamic }: JsonObject, place: Place, resource: Place) {
    if (typeof anchor === 'string') this.#anchors.set(`${resource}#${anchor}`, place);
    if (typeof dynamic !== 'string') return;
    this.#anchors.set(`${resource}#${dynamic}`, place);
    const owner = this.#dynamicResource(place, resource);
    remember(this.#dynamicAnchors, owner, () => new Map()).set(dynamic, place);
  }

  /**
   * Without an `$id`, all schemas of a file belong to one resource, and equal names in two of them
   * would clash. Documents mean each schema separately.
   */
  #dynamicResource(place: Place, resource: Place): Place {
    if (this.#uris.has(resource)) return resource;
    return SCHEMA_OF_DOCUMENT.exec(place)?.[0] ?? resource;
  }

  /** Returns the resource of a schema in which its dynamic anchors count. */
  dynamicResourceAround(place: Place): Place {
    const around = this.resourceAround(place)?.place;
    return around ?? this.#dynamicResource(place, toPlace(splitPlace(place).file, ''));
  }
}

/** Matches the Schema Object of an OpenAPI document that a place is in. */
const SCHEMA_OF_DOCUMENT = /^(?:@\d+#)?(?:\/components\/schemas\/[^/]+|.*?\/schema)(?=\/|$)/;

/** Keywords whose values are data: an example may have a member `$id`. */
const DATA = new Set(['example', 'examples', 'default', 'enum', 'const', 'value']);

/** Returns the absolute URI without its fragment; undefined for what is not a URI reference. */
export function resolveUri(reference: string, base: string): string | undefined {
  if (!URL.canParse(reference, base)) return undefined;
  const url = new URL(reference, base);
  url.hash = '';
  return url.href;
}
