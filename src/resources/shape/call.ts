import { groupBy, onceEach } from '../../base/remember.ts';
import { isPlural, plain, singularName, wordsOf } from '../../base/words.ts';
import type { SchemaNode } from '../../schema/schema-node.ts';
import { findEnvelope } from './envelope.ts';
import { inputsOf, type OperationShape } from './operation-shape.ts';
import type { ParameterShape } from './parameter-shape.ts';
import { above, lastName, type PathShape, placeKey, shapeOf } from './path-shape.ts';
import { changeOf, isVerb } from './words.ts';

/** Returns true for a path of the document, or one whose items have a path. */
type IsKnown = (shape: OperationShape, path: PathShape) => boolean;

/**
 * Returns the shapes in which calls by name have the method and the path that their names mean:
 * `POST /DeleteFleet`, with a `fleetId` in its body, is read as `DELETE /Fleets/{fleetId}`.
 */
export function readCalls(shapes: readonly OperationShape[]): readonly OperationShape[] {
  const items = shapes.filter(({ path }) => path.segments.at(-1)?.kind === 'parameter');
  const owners = new Set(items.map(({ operation, path }) => placeKey(operation.root, above(path))));
  const declared = new Set(shapes.map((shape) => shape.placeKey));
  const isKnown: IsKnown = ({ operation }, path) => {
    const key = placeKey(operation.root, path);
    return owners.has(key) || declared.has(key);
  };
  const called = shapes.map((shape) => {
    const call = owners.has(shape.placeKey) ? undefined : readCall(shape, isKnown);
    // `/PurchaseOrders/{id}` beside `/PurchaseOrders` purchases nothing.
    const isNoun =
      call?.does === 'act' &&
      call.key !== undefined &&
      declared.has(placeKey(shape.operation.root, above(shape.path)));
    return { shape, call: isNoun ? undefined : call };
  });
  const nounOf = ({ noun }: Call): string => plain(singularName(noun));
  const calls = called.flatMap(({ call }) => call ?? []);
  if (calls.length === 0) return shapes;
  const named = groupBy(
    calls.filter(({ isBelow }) => !isBelow),
    nounOf,
  );
  const parts = groupBy(
    calls.filter(({ isBelow }) => isBelow),
    partOf,
  );
  const othersAmong = onceEach(readOthers);
  const methods = new Set(shapes.map((shape) => `${shape.method} ${shape.placeKey}`));
  const callOfNoun = (shape: OperationShape) =>
    named.size > 0 && !owners.has(shape.placeKey) ? readCall(shape, isKnown, named) : undefined;
  return called.map(({ shape, call: own }) => {
    if (own?.isBelow) {
      const isPart = isGotAndSet(parts.get(partOf(own)) ?? []);
      return isPart ? readAs(shape, own, shapeOf(partPath(own))) : shape;
    }
    const call = own ?? callOfNoun(shape);
    const read = call && withCall(shape, call, othersAmong(named.get(nounOf(call)) ?? []));
    const isTaken = read && call.isBehind && methods.has(`${read.method} ${read.placeKey}`);
    return read === undefined || isTaken ? shape : read;
  });
}

/** Returns the path that `/beds/{id}/getSoil` and `/beds/{id}:setSoil` mean: `/beds/{id}/Soil`. */
function partPath({ base: { segments }, noun }: Call) {
  return [...segments, { kind: 'name', name: noun } as const];
}

function partOf(call: Call): string {
  return plain(shapeOf(partPath(call)).key);
}

function isGotAndSet(calls: readonly Call[]): boolean {
  const does = new Set(calls.map((one) => one.does));
  return does.has('get') && (does.has('put') || does.has('patch'));
}

function readAs(shape: OperationShape, { does }: Call, path: PathShape): OperationShape {
  return shape.with({ isCall: true, method: METHODS[does], path });
}

/** The calls of one noun. */
interface Others {
  readonly calls: readonly Call[];
  /** The noun of those that name several. */
  readonly plural: string | undefined;
  /** True if one creates, or names several. */
  readonly areMany: boolean;
}

function readOthers(calls: readonly Call[]): Others {
  const plural = calls.find(({ noun }) => isPlural(noun))?.noun;
  const areMany = plural !== undefined || calls.some(({ does }) => does === 'create');
  return { calls, plural, areMany };
}

/** A name that says what to do, and with what. */
interface Call {
  readonly does: Doing;
  readonly verb: string;
  readonly noun: string;
  /** The path in front of the name. */
  readonly base: PathShape;
  /** The parameter behind the name: `/getFleet/{id}`. */
  readonly key: string | undefined;
  /** True for a name that is no part of the path: `#Target=Service.CreateFleet`. */
  readonly isSaid: boolean;
  /** True for a verb alone behind a path: `/fleets/create`, `/fleets/{id}/delete`. */
  readonly isBehind: boolean;
  /** True for one below a known path: `/fleets/{id}/getCrew`. */
  readonly isBelow: boolean;
}

type Named = Omit<Call, 'base' | 'key' | 'isBelow'>;
type Doing = 'create' | 'list' | 'get' | 'patch' | 'put' | 'delete' | 'act';

const DOING: ReadonlyMap<string, Doing> = new Map(
  Object.entries({
    create: 'create add insert register new',
    list: 'list search find query',
    get: 'get describe retrieve fetch read show info',
    patch: 'update modify edit change',
    put: 'put set replace upsert',
    delete: 'delete remove destroy deregister',
  } satisfies Record<Exclude<Doing, 'act'>, string>).flatMap(([does, verbs]) =>
    verbs.split(' ').map((verb) => [verb, does as Doing] as const),
  ),
);

/** @param named the nouns that other calls create, list or read: then any verb may be in front */
function readCall(
  shape: OperationShape,
  isKnown: IsKnown,
  named?: ReadonlyMap<string, unknown>,
): Call | undefined {
  const whole = shape.path.segments.at(-1);
  const key = whole?.kind === 'parameter' ? whole.name : undefined;
  const path = key === undefined ? splitDots(shape.path) : above(shape.path);
  const last = path.segments.at(-1);
  if (last?.kind !== 'name') return undefined;
  const base = above(path);
  const isOne = key !== undefined;
  const call =
    named === undefined
      ? (nameOf(last.name, isOne) ?? (isOne ? undefined : verbBehind(last.name, base)))
      : doingWith(last.name, named);
  if (call === undefined || !isMeantBy(shape.method, call)) return undefined;
  const isBelow = !call.isBehind && isBelowKnown(shape, base, isKnown);
  const mayBePart = isOfOne(base) && !isOne && named === undefined && METHODS[call.does] !== 'POST';
  // The body comes last, as most are not read yet.
  if ((isBelow && !mayBePart) || isEmptyChange(shape, call)) return undefined;
  return { ...call, base, key, isBelow };
}

/** Returns true for `/pets/findByStatus` and `/orders/{id}/addItem`, which are about what is above. */
function isBelowKnown(shape: OperationShape, base: PathShape, isKnown: IsKnown): boolean {
  return isKnown(shape, base) || (isOfOne(base) && isKnown(shape, above(base)));
}

function isOfOne({ segments }: PathShape): boolean {
  return segments.at(-1)?.kind === 'parameter';
}

/** Reads `/fleets.create` as `/fleets/create`. */
function splitDots(path: PathShape): PathShape {
  const last = lastName(path);
  const [, owner, verb = ''] = (last.includes('.') && /^(\w.*)\.([a-z]+)$/i.exec(last)) || [];
  if (owner === undefined || !(DOING.has(verb) || isVerb(verb))) return path;
  const names = [owner, verb].map((name) => ({ kind: 'name', name }) as const);
  return shapeOf([...path.segments.slice(0, -1), ...names]);
}

/**
 * `CreateFleet`, `create-fleet`, `#Target=Service.CreateFleet`.
 *
 * @param isOne true if the key is behind the name: `/stopFleet/{id}`
 */
function nameOf(text: string, isOne: boolean) {
  const said = saidIn(text);
  const name = said ?? text;
  const words = wordsOf(name);
  const [verb = ''] = words;
  const isSaid = said !== undefined;
  const does = DOING.get(verb) ?? ((isSaid || isOne) && isVerb(verb) ? 'act' : undefined);
  if (does === undefined || words.length === 1 || isAboutMore(words)) return undefined;
  return { does, verb, noun: nounBehind(verb, name), isSaid, isBehind: false };
}

function nounBehind(verb: string, name: string): string {
  return name.slice(verb.length).replace(/^[^\p{L}]+/u, '');
}

/** Returns true for `getFleetByName` and `updateFleetsBulk`. */
function isAboutMore([, ...words]: readonly string[]): boolean {
  return (
    words.some((word) => LINKING.has(word)) || /^(?:batch|bulk|many)$/.test(words.at(-1) ?? '')
  );
}

/** Returns the name in `#Target=Service.CreateFleet`. */
function saidIn(text: string): string | undefined {
  if (!(text.startsWith('#') || text.startsWith('?'))) return undefined;
  return /^[#?](?:[^&]*&)?[\w-]+=(?:[\w-]+\.)*([A-Z]\w+)(?:&.*)?$/.exec(text)?.[1];
}

/** `reset-fleet` and `AddShipsToFleet` beside `CreateFleet`. */
function doingWith(text: string, named: ReadonlyMap<string, unknown>): Named | undefined {
  const said = saidIn(text);
  const name = said ?? text;
  const [first = ''] = wordsOf(name);
  if (!isVerb(first)) return undefined;
  const [, linking, owner] = LINKED.exec(name) ?? [];
  const isLinking = owner !== undefined && changeOf(first) !== 'set';
  const noun = isLinking ? owner : nounBehind(first, name);
  const verb = isLinking ? (linking ?? first) : first;
  if (!isLinking && (DOING.has(first) || STARTING.test(first))) return undefined;
  if (!named.has(plain(singularName(noun)))) return undefined;
  return { does: 'act', verb, noun, isSaid: said !== undefined, isBehind: false };
}

/** Verbs that may name what they make: `start-run` with a `runName`. */
const STARTING = /^(?:start|run|launch|submit|request|initiate|import|export|generate|send)$/;

const LINKED =
  /^(\p{L}.*?)(?:(?<=\p{Ll})(?:To|From|With|In)(?=\p{Lu})|[-_](?:to|from|with|in)[-_])(\p{L}+)$/u;

/** Words after which a name says how, for whom or with what. */
const LINKING: ReadonlySet<string> = new Set(
  'by for from to with without in into of on and or as at all'.split(' '),
);

/** `/fleets/create`, `/fleets/{id}/delete`, `/fleets/cancel`. */
function verbBehind(verb: string, base: PathShape) {
  const isAction = base.segments.at(-1)?.kind === 'name' && wordsOf(verb).length === 1;
  const does = DOING.get(verb.toLowerCase()) ?? (isAction && isVerb(verb) ? 'act' : undefined);
  const noun = lastName(base);
  if (does === undefined || noun === '') return undefined;
  return { does, verb, noun, isSaid: false, isBehind: true };
}

/** Returns true for a change without a body. */
function isEmptyChange(shape: OperationShape, { does, isSaid }: Named): boolean {
  return CHANGES.has(does) && !isSaid && shape.given === undefined;
}

const CHANGES: ReadonlySet<Doing> = new Set(['patch', 'put']);

/** Returns false for `DELETE /GetFleet`, and for a GET that would change something. */
function isMeantBy(method: string, { does, isSaid, isBehind }: Named): boolean {
  const isReading = does === 'get' || does === 'list';
  if (method === 'GET') return isReading || isSaid;
  if (method === 'POST' || (method === 'PUT' && does === 'create')) return true;
  const isOther = (CHANGES.has(does) || does === 'act') && method !== 'DELETE';
  return method === METHODS[does] || (!isBehind && isOther);
}

const METHODS: Readonly<Record<Doing, string>> = {
  create: 'POST',
  list: 'GET',
  get: 'GET',
  patch: 'PATCH',
  put: 'PUT',
  delete: 'DELETE',
  act: 'POST',
};

/**
 * Returns the shape as its call means it; undefined if the request does not say which resource.
 *
 * @param others the calls about the same: `CreateFleet` and `ListFleets`
 */
function withCall(shape: OperationShape, call: Call, { calls, plural, areMany }: Others) {
  const { does, base, isBehind, key } = call;
  const at = (path: PathShape): OperationShape => readAs(shape, call, path);
  const isOne = does !== 'create' && does !== 'list';
  if (base.segments.at(-1)?.kind === 'parameter' && isBehind) return isOne ? at(base) : undefined;
  const name = plural ?? call.noun;
  const collection = isBehind ? base : shapeOf([...base.segments, { kind: 'name', name }]);
  if (key !== undefined) {
    const isListed = isAboutMany(shape, call, undefined);
    return isOne && !isListed ? at(itemOf(collection, key, call)) : undefined;
  }
  const named = isOne ? findNamed(shape, call.noun, areMany) : undefined;
  if (!isOne || isAboutMany(shape, call, named) || isSingle(shape, named, calls))
    return at(collection);
  return named && withKey(at(itemOf(collection, named.name, call)), named);
}

function withKey(shape: OperationShape, named: ParameterShape): OperationShape {
  const parameters = [...shape.parameters, { ...named, in: 'path', isRequired: true }];
  return shape.with({ parameters, named });
}

/** `GetSettings` and `UpdateSettings`, which name none of several, are about the only one. */
function isSingle(
  shape: OperationShape,
  named: ParameterShape | undefined,
  others: readonly Call[],
): boolean {
  if (named !== undefined) return false;
  const isNaming = inputsOf(shape).some(
    ({ isRequired, name }) => isRequired && NAMING.test(plain(name)),
  );
  const areMany = others.some(({ does }) => does === 'create' || does === 'list');
  return !isNaming && !areMany && isGotAndSet(others);
}

function itemOf({ segments }: PathShape, key: string, { does, verb }: Call): PathShape {
  const item = [...segments, { kind: 'parameter', name: key } as const];
  return shapeOf(does === 'act' ? [...item, { kind: 'name', name: verb }] : item);
}

/** Returns true for `GetFleets`, which returns a list, and for `DeleteFleets`. */
function isAboutMany(
  { success }: OperationShape,
  { does, noun, isBehind }: Call,
  named: ParameterShape | undefined,
): boolean {
  const areMany = isBehind ? named === undefined : isPlural(noun);
  if (does === 'delete') return areMany;
  if (does !== 'get') return false;
  const isList = (): boolean =>
    findEnvelope(success?.node, { collection: noun, item: undefined }) !== undefined;
  return success?.node?.isArray === true || (areMany && isList());
}

/**
 * Returns the member of the body, or the parameter, with the key of the resource.
 *
 * @param areMany false for a noun of which there is one for each of something else
 */
function findNamed(shape: OperationShape, noun: string, areMany: boolean) {
  const all = inputsOf(shape).filter(({ node }) => isScalar(node));
  const one = plain(singularName(noun));
  const own = [namesEnd, namesStart].map((names) =>
    all.filter(({ name }) => names(plain(name), one)),
  );
  const [first, ...others] = own.find((found) => found.length > 0) ?? [];
  if (first !== undefined) return [first, ...others].find((each) => each.isRequired) ?? first;
  const required = all.filter(({ isRequired, name }) => isRequired && NAMING.test(plain(name)));
  return required.length === 1 && !areMany ? required[0] : undefined;
}

export const NAMING = /(?:id|name|arn|identifier|uuid|slug)$/;

/** `fleetId`, `fleet`, `id` name a fleet; `name`, `group` and `groupName` a log group. */
function namesEnd(word: string, one: string): boolean {
  const stem = word.replace(NAMING, '');
  const isEnd = one.endsWith(stem) && (stem !== word || word.length >= SHORTEST_END);
  return isEnd || word === `${one}key`;
}

const SHORTEST_END = 3;

/** `endpointName` names the access of an endpoint. */
function namesStart(word: string, one: string): boolean {
  const stem = word.replace(NAMING, '');
  return stem !== word && one.startsWith(stem);
}

function isScalar(node: SchemaNode | undefined): boolean {
  return node === undefined || !(node.isObject || node.isArray || node.types.has('boolean'));
}
