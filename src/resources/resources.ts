import { groupBy, inParts, once, onceEach } from '../base/remember.ts';
import type { Contract, Operation } from '../contract/contract.ts';
import { type Diagnostic, DiagnosticError } from '../document/diagnostic.ts';
import type { Source } from '../document/source.ts';
import { isShared } from './collections.ts';
import { assembleResources } from './infer/assemble.ts';
import { collectionMeanings } from './infer/collection-meanings.ts';
import type { Draft } from './infer/draft.ts';
import { createDrafts, type Drafts, mayMean } from './infer/drafts.ts';
import { arrangeFamilies, type Families, type Family } from './infer/families.ts';
import { inferFiles } from './infer/infer-files.ts';
import { findPeople, inferLogin, type People } from './infer/infer-login.ts';
import { inferMarks } from './infer/infer-marks.ts';
import type { DraftAt, NestedOperation } from './infer/infer-nested.ts';
import { singletonMeanings } from './infer/infer-singleton.ts';
import { inferTags } from './infer/infer-tags.ts';
import type { UntypedMeaning } from './infer/meaning-parts.ts';
import { type AssembledType, asNamedIn } from './infer/share-types.ts';
import { readMeanings, writeMeanings } from './kept-meanings.ts';
import type { Inferred, Meaning, Resources } from './meaning.ts';
import { applyOverrides } from './override/apply-overrides.ts';
import { NO_OVERRIDES } from './override/overrides.ts';
import { readOverrides } from './override/read-overrides.ts';
import type { ResourceType } from './resource.ts';
import type { OperationShape } from './shape/operation-shape.ts';
import { above, lastName, type PathShape } from './shape/path-shape.ts';
import { isVerb } from './shape/words.ts';
import { findRenamed, nodeAt } from './shape/wrapping.ts';

/**
 * Creates the resource types and meanings of a contract. It infers them at the first use, or at
 * once to check overrides, and compiles no schema.
 *
 * @param file the overrides of the settings; they take precedence over those of the document
 * @throws {DiagnosticError} with all mistakes in the overrides
 */
export function createResources(contract: Contract, file?: Source): Resources {
  const faults: Diagnostic[] = [];
  const overrides = readOverrides(contract, file, faults);
  const families = once(() => arrangeFamilies(contract, overrides));
  const drafts = once(() => createDrafts(families()));
  const inference = inParts(() => infer(families(), drafts()));
  const kept = overrides === NO_OVERRIDES ? contract.document.kept : undefined;
  const known = once(() => kept?.result && readMeanings(contract, kept.result));
  const keeping = inParts(function* () {
    if (kept !== undefined) kept.keep(yield* writeMeanings(contract, inference.whole()));
  });
  const inferred = (): Inferred => known() ?? inference.whole();
  const mayMeanSome = onceEach((one: Operation) => mayMean(one, families(), drafts()));
  const isInferred = (): boolean => inference.isWhole || known() !== undefined;
  if (overrides !== NO_OVERRIDES) inferred();
  if (faults.length > 0) throw new DiagnosticError(faults);
  return Object.freeze({
    get all() {
      return inferred().all;
    },
    find: (name: string) => inferred().find(name),
    meaningOf: onceEach((operation: Operation) =>
      isInferred() || mayMeanSome(operation) ? inferred().meaningOf(operation) : undefined,
    ),
    meanings: () => inferred().meanings(),
    caller: () => inferred().caller(),
    meaningsOf: (name: string) => inferred().meaningsOf(name),
    explanationOf: (operation: Operation) => inferred().explanationOf(operation),
    explain: () => contract.operations.map((one) => inferred().explanationOf(one)),
    inferNext: () => known() === undefined && (inference.next() || keeping.next()),
    get isInferred() {
      return isInferred();
    },
    get isPreparing() {
      return inference.isInTurns;
    },
    prepare: (operation: Operation) =>
      isInferred() || !mayMeanSome(operation) || contract.operations.length < FEWEST_IN_TURNS
        ? undefined
        : inference.inTurns(),
  });
}

/** The meanings of fewer operations are inferred at once when they are needed, in a moment. */
const FEWEST_IN_TURNS = 250;

/** Infers the meanings of all operations, and applies the overrides; yields after each part. */
function* infer(families: Families, drafts: Drafts): Generator<void, Inferred> {
  yield;
  const { contract } = families;
  for (const family of families.all()) {
    drafts.of(family);
    yield;
  }
  const below = families.all().flatMap(drafts.nestedIn);
  const people: () => People = once(() =>
    findPeople(
      contract,
      [...resources.values()].map(({ type }) => type),
    ),
  );
  const resources = yield* assembleResources(families, drafts, () => people().me?.node);
  yield;
  const meanings = yield* inferMeanings(families, resources, below);
  yield;
  for (const [operation, shape] of families.shapes()) {
    const login = meanings.has(operation) ? undefined : inferLogin(shape, people);
    if (login !== undefined) meanings.set(operation, login);
  }
  const sharedTypes = once(() =>
    groupBy(
      [...resources].filter(([, { type }]) => isShared(type)),
      ([{ root, name }]) => `${root} ${name}`,
    ),
  );
  const ownerAt = (shape: OperationShape, path: PathShape) => {
    const { root } = shape.operation;
    const family = families.find(root, path);
    const own = family && resources.get(family);
    if (own !== undefined) return own;
    // `GET /files/{id}/content` after `POST /folders/{id}/files`.
    const named = sharedTypes().get(`${root} ${lastName(path)}`) ?? [];
    return named.length === 1 ? named[0]?.[1] : undefined;
  };
  const marks = inferMarks(families, (shape, path) => ownerAt(shape, path)?.type.name);
  for (const meaning of [...inferFiles(families, ownerAt), ...marks]) {
    if (!meanings.has(meaning.operation)) meanings.set(meaning.operation, meaning);
  }
  for (const meaning of inferTags(families)) meanings.set(meaning.operation, meaning);
  applyOverrides(families, resources.values(), meanings, people);
  const draftAt: DraftAt = (root, path) => {
    const family = families.find(root, path);
    return family && drafts.of(family);
  };
  const stored = [...meanings.values()].filter(({ kind }) => !APART.has(kind));
  const byName = findMain(stored.map(({ type }) => type));
  const styled = onceEach((meaning: Meaning) => inShownStyle(meaning, families));
  const meaningOf = (operation: Operation): Meaning | undefined => {
    const meaning = meanings.get(operation);
    return meaning && styled(meaning);
  };
  const ordered = once(() => contract.operations.flatMap((one) => meaningOf(one) ?? []));
  const byType = once(() => groupBy(ordered(), ({ type }) => type.name));
  return {
    all: [...byName.values()],
    find: (name) => byName.get(name),
    meaningOf,
    meanings: ordered,
    caller: once(() => findRead(meanings, people().me?.type)),
    meaningsOf: (name) => byType().get(name) ?? [],
    explanationOf: (operation) => {
      const meaning = meaningOf(operation);
      const reason = meaning?.reason ?? whyNot(families.shapeOf(operation), draftAt);
      return { operation, meaning, reason };
    },
  };
}

/** Meanings that make no collection. */
const APART: ReadonlySet<string> = new Set(['login', 'upload', 'download']);

/** Returns the meaning with the names that its responses write in another style. */
function inShownStyle(meaning: Meaning, { contract, shapeOf }: Families): Meaning {
  if (!('given' in meaning) || meaning.given === undefined) return meaning;
  const shown = contract.schemas.nodes.at(meaning.type.schema?.pointer);
  const body = nodeAt(shapeOf(meaning.operation)?.given?.node, meaning.given.path);
  const given = meaning.kind === 'create' && meaning.isMany ? (body?.items ?? body) : body;
  const renamed = findRenamed(given, shown);
  return renamed.size === 0 ? meaning : { ...meaning, given: { ...meaning.given, renamed } };
}

function findRead(meanings: ReadonlyMap<Operation, Meaning>, type: ResourceType | undefined) {
  const reads = [...meanings.values()].filter((one) => one.kind === 'read');
  return reads.find((one) => one.type.name === type?.name);
}

/** Returns one type for each name: with the fewest parents, at the path of the collection. */
function findMain(used: readonly ResourceType[]): ReadonlyMap<string, ResourceType> {
  const main = new Map<string, ResourceType>();
  for (const type of used) {
    const known = main.get(type.name);
    const [parents, before] = [type.parents.length, known?.parents.length ?? Infinity];
    const isHome = known?.home !== undefined && type.home === undefined;
    if (parents < before || (parents === before && isHome)) main.set(type.name, type);
  }
  return main;
}

function* inferMeanings(
  { shapeOf }: Families,
  resources: ReadonlyMap<Family, AssembledType>,
  below: readonly NestedOperation[],
): Generator<void, Map<Operation, Meaning>> {
  const meanings = new Map<Operation, Meaning>();
  const add = (owner: AssembledType, meaning: UntypedMeaning) => {
    const shape = shapeOf(meaning.operation);
    const type = asNamedIn(shape?.path, owner);
    const { named, isCall } = shape ?? {};
    const reason = `its name says so: ${meaning.reason}`;
    const key = named && { name: named.name, in: named.in };
    const said = isCall ? { call: { key }, reason } : {};
    meanings.set(meaning.operation, { ...meaning, ...said, type, source: 'inferred' });
  };
  for (const one of resources.values()) {
    const { draft, type } = one;
    const own =
      draft.kind === 'collection'
        ? collectionMeanings(draft, type.key?.property?.value)
        : singletonMeanings(draft);
    for (const meaning of own) add(one, meaning);
    yield;
  }
  for (const { owner, meaning } of below) {
    const one = resources.get(owner);
    if (one !== undefined) add(one, meaning);
  }
  return meanings;
}

/** Returns the reason why an operation has no meaning, as the end of a sentence. */
function whyNot(shape: OperationShape | undefined, draftAt: DraftAt): string {
  if (shape === undefined) return 'it has a fault, and is not served';
  if (shape.override?.value.does === 'nothing') return 'an override says so';
  if (shape.path.segments.some(({ kind }) => kind === 'mixed')) {
    return 'a segment of its path is made of several parts';
  }
  if (shape.takesBytes) return 'it takes bytes, not an object';
  if (shape.givesBytes) return 'it returns bytes, not an object';
  const { operation, path } = shape;
  const isItem = path.segments.at(-1)?.kind === 'parameter';
  const owner = draftAt(operation.root, isItem ? above(path) : path);
  return owner === undefined ? whyUnknown(shape) : whyNotOfOwned(shape, owner);
}

function whyUnknown(shape: OperationShape): string {
  const { method } = shape.operation;
  const name = lastName(shape.path);
  if (shape.success?.node === undefined && shape.given?.node === undefined) {
    return 'it neither takes nor returns an object';
  }
  if (isVerb(name)) return `${name} is an action, but no resource is recognizable`;
  if (method !== 'GET')
    return 'its response does not resemble its request, and no path reads the result';
  if (shape.success?.node?.isObject === true) return 'no operation changes what it returns';
  return shape.success?.node?.items?.isObject === true
    ? 'no operation creates or reads an item of its list'
    : 'it returns no object';
}

function whyNotOfOwned({ operation, given, parameters }: OperationShape, owner: Draft): string {
  const { method } = operation;
  const { name } = owner.family;
  if (method === 'DELETE' && parameters.some((one) => one.in === 'query')) {
    return 'its query selects what it deletes';
  }
  if (method === 'GET') return `its response does not resemble the rest of ${name}`;
  return given === undefined
    ? `it has no request body for ${method}`
    : `its body does not resemble ${name}`;
}
