import { stringifyJson } from '../../src/base/json/stringify.ts';
import { createRandom } from '../../src/base/random.ts';
import type { Operation } from '../../src/contract/contract.ts';
import type {
  CreateMeaning,
  DeleteMeaning,
  ListMeaning,
  Meaning,
  PatchMeaning,
  ReadMeaning,
  ReplaceMeaning,
  Wrapping,
} from '../../src/resources/meaning.ts';
import type { ResourceType } from '../../src/resources/resource.ts';
import type { Json } from '../sweep/json.ts';
import { differ, find, isMembers, type JsonMembers, membersOf } from './compare.ts';
import type { Step, StepResult, Walk } from './figures.ts';
import { parametersOf, segmentAt, valueNamed, valuesAt } from './path-values.ts';
import { pathValueOf, type Received, type Sending, send } from './send.ts';

/** The operations on one collection that a walk needs, and those that it takes where there are. */
export interface Way {
  readonly create: CreateMeaning | ReplaceMeaning;
  readonly read: ReadMeaning | undefined;
  readonly list: ListMeaning | undefined;
  readonly changes: readonly ChangeMeaning[];
  readonly remove: DeleteMeaning | undefined;
}

type ChangeMeaning = ReplaceMeaning | PatchMeaning;

interface Body {
  readonly mediaType: string;
  readonly text: string;
}

/** Ends a walk where a step did not do what it must. */
class Wrong extends Error {}

const MOST_PATCHES = 20;
const NOW = Date.UTC(2024, 1, 29);

/**
 * Creates one, and follows it to its end, as a client does that knows nothing but the answers:
 *
 * - the key is what the response to the create shows of it, or the end of `Location` or
 *   `Mock-Resource`; without any of them the walk cannot go on, which counts against the mock;
 * - other parameters of a path are what `Location` and `Mock-Resource` have there, or the members
 *   of the response and of the body with their names; only what none of these has is made up, to
 *   suit the schema of the read;
 * - a list has the resource if it shows the key, or, for a resource without one, what was sent.
 *
 * A step for which there is no operation, or no body in JSON with one resource, is not counted.
 */
export async function walkCollection(sending: Sending, way: Way): Promise<Walk> {
  const { type: resource } = way.create;
  const walk = new CollectionWalk(sending, way);
  const results: { [step in Step]?: StepResult } = {};
  const plan: readonly (readonly [Step, () => Promise<StepResult>])[] = [
    ['create', () => walk.create()],
    ['read', () => walk.read()],
    ['list', () => walk.list()],
    ['change', () => walk.change()],
    ['read again', () => walk.read()],
    ['delete', () => walk.remove()],
    ['read after', () => walk.readAfter()],
  ];
  for (const [step, take] of plan) {
    try {
      results[step] = await take();
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      results[step] = { wrong: error.message };
    }
    if (step === 'create' && results[step] !== 'ok') break;
  }
  return { resource: resource.name, results };
}

class CollectionWalk {
  readonly #sending: Sending;
  readonly #way: Way;
  readonly #path = new Map<string, string>();
  readonly #set: ReadonlySet<string>;
  readonly #inPath: ReadonlySet<string>;
  #key = '';
  #sent: JsonMembers = {};
  #isDeleted = false;

  constructor(sending: Sending, way: Way) {
    this.#sending = sending;
    this.#way = way;
    const { type: resource } = way.create;
    this.#set = new Set([
      ...resource.serverSet.map(({ name }) => name),
      ...resource.parents.flatMap(({ property }) => property?.value ?? []),
    ]);
    const both = [way.create, way.read ?? way.create];
    const own = both.map(({ operation }) => operation);
    this.#inPath = new Set(own.flatMap(({ path }) => parametersOf(path)));
    for (const one of both) {
      for (const name of parametersOf(one.operation.path)) {
        const isKey = name === resource.key?.parameter;
        if ((isKey && one.kind !== 'replace') || this.#path.has(name)) continue;
        const value = pathValueOf(sending, own, name);
        this.#path.set(name, value);
        if (isKey) this.#key = value;
      }
    }
  }

  /** Takes over what a response says of the paths under which the resource is read and changed. */
  #learnPaths({ location, resource }: Received, shown: JsonMembers): void {
    const { create, read, remove, changes } = this.#way;
    const given = new Set([...parametersOf(create.operation.path), create.type.key?.parameter]);
    for (const { operation } of [read, remove, ...changes].flatMap((one) => one ?? [])) {
      const located = valuesAt(location ?? resource ?? '', operation.path);
      for (const name of parametersOf(operation.path).filter((one) => !given.has(one))) {
        const isLast = operation.path.endsWith(`{${name}}`);
        const own = located?.get(name) ?? valueNamed(shown, name);
        const value = own ?? (isLast && this.#key !== '' ? this.#key : undefined);
        if (value !== undefined) this.#path.set(name, value);
      }
    }
  }

  async create(): Promise<StepResult> {
    const { create } = this.#way;
    if (findJson(create.operation) === undefined) return 'none';
    this.#sent = await this.#sendBody(create, 'create', (received) => {
      const shown = create.shown && resourceIn(received.body, create.shown);
      const name = create.type.key?.property?.value;
      const key = shown && keyIn(shown, name);
      const located = received.location ?? received.resource;
      const segment = segmentAt(located ?? '', this.#way.read?.operation.path);
      if (this.#key !== '') this.#requireKey(key);
      else if (typeof key === 'string' || typeof key === 'number') this.#key = String(key);
      else this.#key = decodeURIComponent(segment);
      this.#learnPaths(received, { ...this.#sent, ...shown });
      if (shown === undefined) return undefined;
      return differ(this.#sent, shown, new Set([...this.#set, name ?? '']));
    });
    const name = create.type.key?.property?.value;
    const own = keyIn(this.#sent, name);
    if (this.#key === '' && (typeof own === 'string' || typeof own === 'number')) {
      this.#key = String(own);
    }
    const parameter = create.type.key?.parameter;
    if (parameter === undefined) return 'ok';
    if (this.#key === '') throw new Wrong('no response says how it is called');
    this.#path.set(parameter, this.#key);
    return 'ok';
  }

  async read(): Promise<StepResult> {
    const { read } = this.#way;
    if (read === undefined) return 'none';
    const received = await send(this.#sending, read.operation, this.#path);
    requireSuccess(read.operation, received);
    requireState(received);
    // The status alone says that it is there.
    if (read.shown === undefined && received.text === '') return 'ok';
    const shown = read.shown && resourceIn(received.body, read.shown);
    if (shown === undefined) throw new Wrong(`nothing is shown: ${received.text.slice(0, 120)}`);
    this.#requireSame(shown);
    return 'ok';
  }

  async list(): Promise<StepResult> {
    const { list } = this.#way;
    if (list === undefined) return 'none';
    const received = await send(this.#sending, list.operation, this.#path);
    requireSuccess(list.operation, received);
    requireState(received);
    const { envelope } = list;
    const found = find(received.body, envelope.path);
    const items = envelope.isByKey && isMembers(found) ? Object.values(found) : found;
    if (!Array.isArray(items)) throw new Wrong(`no list: ${received.text.slice(0, 120)}`);
    const name = list.type.key?.property?.value;
    const members = items.map((item: Json) => membersOf(item, envelope.form));
    const isOwn = (one: JsonMembers): boolean =>
      this.#key === ''
        ? differ(this.#sent, one, this.#set) === undefined
        : String(keyIn(one, name)) === this.#key;
    const own = members.find((one) => one !== undefined && isOwn(one));
    if (own === undefined && members.some((one) => one && keyIn(one, name) !== undefined)) {
      throw new Wrong(`${this.#key} is not in the list: ${received.text.slice(0, 120)}`);
    }
    if (members.length === 0) throw new Wrong('the list is empty');
    if (own !== undefined) this.#requireSame(own);
    return 'ok';
  }

  async change(): Promise<StepResult> {
    const { changes } = this.#way;
    if (changes.length === 0) return 'none';
    for (const change of changes) {
      const sent = await this.#changeBy(change);
      this.#sent = change.kind === 'patch' ? { ...this.#sent, ...sent } : sent;
      await this.read();
    }
    return 'ok';
  }

  async #changeBy(change: ChangeMeaning): Promise<JsonMembers> {
    for (let attempt = 0; ; attempt++) {
      const seed = `change ${change.operation.id} ${attempt}`;
      try {
        return change.operation.body === undefined
          ? await this.#sendQuery(change, seed)
          : await this.#sendBody(change, seed, (received) =>
              // What shows something else is not of the state.
              change.shown === undefined ? undefined : requireState(received),
            );
      } catch (error) {
        // A patch may be of another kind than what it is for: such a refusal is no fault.
        const isUnfit = error instanceof Wrong && error.message.includes('what the patch leaves');
        if (attempt === MOST_PATCHES || !isUnfit) throw error;
      }
    }
  }

  /** Query values that another resource could have. */
  async #sendQuery({ operation }: ChangeMeaning, seed: string): Promise<JsonMembers> {
    const { given } = this.#way.create;
    const { text } = this.#generateBody(this.#way.create, seed);
    const other = resourceIn(JSON.parse(text) as Json, given) ?? {};
    const names = operation.parameters.flatMap((one) => (one.in === 'query' ? [one.name] : []));
    const said = Object.entries(other).filter(
      ([name, value]) => names.includes(name) && typeof value !== 'object',
    );
    const wished = new Map(said.map(([name, value]) => [name, String(value)]));
    const received = await send(this.#sending, operation, this.#path, undefined, wished);
    requireSuccess(operation, received);
    requireState(received);
    return Object.fromEntries(said);
  }

  async remove(): Promise<StepResult> {
    const { remove } = this.#way;
    if (remove === undefined) return 'none';
    const received = await send(this.#sending, remove.operation, this.#path);
    requireSuccess(remove.operation, received);
    this.#isDeleted = true;
    return 'ok';
  }

  async readAfter(): Promise<StepResult> {
    const { read } = this.#way;
    if (!this.#isDeleted || read === undefined) return 'none';
    const { status } = await send(this.#sending, read.operation, this.#path);
    if (status < 400) throw new Wrong(`it is still there: ${status}`);
    return 'ok';
  }

  async #sendBody(
    meaning: CreateMeaning | ReplaceMeaning | PatchMeaning,
    seed: string,
    judge: (received: Received) => string | undefined,
  ): Promise<JsonMembers> {
    const { operation, given } = meaning;
    const generated = this.#generateBody(meaning, seed);
    const body = meaning === this.#way.create ? generated : this.#withKey(operation, generated);
    const sent = resourceIn(JSON.parse(body.text) as Json, given);
    if (sent === undefined) throw new Wrong('the generated body has no resource');
    if (seed === 'create') this.#sent = sent;
    for (const [name, one] of Object.entries(sent)) {
      const isNew = !this.#path.has(name) && typeof one !== 'object';
      if (isNew && !this.#inPath.has(name)) this.#path.set(name, String(one));
    }
    const received = await send(this.#sending, operation, this.#path, body);
    requireSuccess(operation, received);
    const wrong = judge(received);
    if (wrong !== undefined) throw new Wrong(wrong);
    return sent;
  }

  /** `PUT /pet`: where no path says which one is meant, the body does. */
  #withKey({ path }: Operation, body: Body): Body {
    const { key } = this.#way.create.type;
    const name = key?.property?.value;
    const value = JSON.parse(body.text) as Json;
    const isInPath = path.includes(`{${key?.parameter}}`);
    if (isInPath || name === undefined || !isMembers(value)) return body;
    const own = typeof value[name] === 'number' ? Number(this.#key) : this.#key;
    return { ...body, text: JSON.stringify({ ...value, [name]: own }) };
  }

  #generateBody({ operation }: Meaning, seed: string): Body {
    const content = findJson(operation);
    const pointer = content?.schema?.pointer;
    if (content === undefined || pointer === undefined) throw new Wrong('the body is no JSON');
    const chance = { random: createRandom(seed), now: NOW };
    const value = this.#sending.generator.generate(pointer, chance);
    if (value === undefined) throw new Wrong('no body could be generated');
    return { mediaType: content.mediaType, text: stringifyJson(value) };
  }

  #requireSame(shown: JsonMembers): void {
    const name = this.#way.create.type.key?.property?.value;
    const wrong = differ(this.#sent, shown, new Set([...this.#set, name ?? '']));
    if (wrong !== undefined) throw new Wrong(wrong);
    this.#requireKey(keyIn(shown, name));
  }

  #requireKey(shown: Json | undefined): void {
    if (shown !== undefined && this.#key !== '' && String(shown) !== this.#key) {
      throw new Wrong(`the key is ${this.#key}, shown is ${JSON.stringify(shown)}`);
    }
  }
}

/** @returns the value of a key, which may be inside a member: `metadata.name` */
function keyIn(members: JsonMembers, name: string | undefined): Json | undefined {
  return name === undefined ? undefined : (members[name] ?? find(members, name.split('.')));
}

function resourceIn(body: Json | undefined, wrapping: Wrapping): JsonMembers | undefined {
  const { path, form, isInList } = wrapping;
  const found = find(body, path);
  return membersOf(isInList && Array.isArray(found) ? found[0] : found, form);
}

function requireSuccess({ method, path }: Operation, { status, text }: Received): void {
  if (status >= 200 && status < 300) return;
  throw new Wrong(`${method} ${path} answers ${status}: ${text.slice(0, 200)}`);
}

function requireState({ source, text }: Received): undefined {
  if (source.startsWith('state')) return undefined;
  throw new Wrong(`answered by ${source}: ${text.slice(0, 120)}`);
}

function findJson({ body }: Operation) {
  return body?.contents.find(
    ({ isJson, mediaType }) => isJson && !mediaType.includes('json-patch'),
  );
}

/** @returns the ways through all collections that have a create, and a read or a list */
export function findWays(meanings: readonly Meaning[]): readonly Way[] {
  const names = new Set(meanings.map(({ type: resource }) => resource.name));
  return [...names].flatMap((name) => {
    const own = meanings.filter(
      ({ type: resource }) => resource.name === name && resource.kind === 'collection',
    );
    const create =
      own.find((one): one is CreateMeaning => one.kind === 'create' && !one.isMany) ??
      own.find(
        (one): one is ReplaceMeaning =>
          one.kind === 'replace' && one.createsAbsent && isByKey(one.operation, one.type.key),
      );
    const read = own.find((one): one is ReadMeaning => one.kind === 'read');
    if (create === undefined) return [];
    const list = own.find(
      (one): one is ListMeaning => one.kind === 'list' && sharesPath(one, create),
    );
    const changes = own.filter(
      (one): one is ChangeMeaning =>
        (one.kind === 'patch' && one.isMany !== true) || one.kind === 'replace',
    );
    const remove = own.find((one): one is DeleteMeaning => one.kind === 'delete' && !one.isAll);
    return read === undefined && list === undefined
      ? []
      : [{ create, read, list, changes, remove }];
  });
}

function isByKey({ path, body }: Operation, key: ResourceType['key']): boolean {
  return body !== undefined && path.endsWith(`{${key?.parameter}}`);
}

/** @returns true for the list of a create's path, or of the path above a key */
function sharesPath({ operation: { path } }: Meaning, { operation, kind }: Meaning): boolean {
  const own = kind === 'replace' ? operation.path.replace(/\/[^/]*$/, '') : operation.path;
  return path === own;
}
