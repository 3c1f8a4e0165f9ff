import type { Sent } from './client.ts';
import { NotJudged } from './description.ts';
import { encodeBody } from './encode-body.ts';
import { encode, isWritable, toText, writeHeader, writePairs, writePath } from './encode-style.ts';
import { exampleValues } from './example-values.ts';
import type { Json } from './json.ts';
import type { Judge } from './judge.ts';
import { makeConcrete } from './media-type.ts';
import type { Content, Credential, Operation, Parameter } from './operation.ts';
import { type Extent, findSample, type SampleSource, sampleAll } from './samples.ts';
import type { XmlValues } from './xml-values.ts';

/** A request as values, before it is written. */
export interface Plan {
  readonly operation: Operation;
  readonly values: ReadonlyMap<Parameter, Json>;
  readonly body: { readonly content: Content; readonly value: Json } | undefined;
  readonly credentials: readonly Credential[];
  /** Optional parts that were left out, as no value could be made or written for them. */
  readonly leftOut: readonly string[];
  readonly xml: XmlValues;
}

/** Material for plans. */
export interface Planner {
  readonly xml: XmlValues;
  readonly judge: Judge;
  readonly sources: readonly SampleSource[];
}

/**
 * Makes a valid request. Every value was judged valid before.
 *
 * @throws {NotJudged} when no valid request could be made, with the reason
 */
export async function makePlan(
  planner: Planner,
  operation: Operation,
  extent: Extent,
  content: Content | undefined,
): Promise<Plan> {
  const values = new Map<Parameter, Json>();
  const leftOut: string[] = [];
  for (const parameter of operation.parameters) {
    if (!parameter.required && extent === 'minimal') continue;
    const value = await sampleParameter(planner, parameter, extent).catch((error: unknown) => {
      if (parameter.required || !(error instanceof NotJudged)) throw error;
      return undefined;
    });
    if (value !== undefined) values.set(parameter, value);
    else if (parameter.required) {
      throw new NotJudged(
        `no valid value for a required parameter (${parameter.in} ${parameter.name})`,
      );
    } else leftOut.push(`${parameter.in} ${parameter.name}`);
  }
  const body = content && { content, value: await sampleBody(planner, content, extent) };
  return {
    operation,
    values,
    body,
    credentials: chooseCredentials(operation),
    leftOut,
    xml: planner.xml,
  };
}

function chooseCredentials({ security }: Operation): readonly Credential[] {
  if (security.length === 0) return [];
  const full = security.find((credentials) => credentials !== undefined && credentials.length > 0);
  const chosen = full ?? security.find((credentials) => credentials !== undefined);
  if (chosen === undefined) throw new NotJudged('no security scheme that is known');
  return chosen;
}

async function sampleParameter(
  { judge, sources }: Planner,
  parameter: Parameter,
  extent: Extent,
): Promise<Json | undefined> {
  const { schema, owner } = parameter;
  if (schema === undefined) return exampleValues(owner)[0] ?? 'fern';
  const verdict = await judge.verdict(schema, 'request');
  // The least value of a list is an empty one, and that cannot be written.
  const more = extent === 'minimal' ? sampleAll(sources, schema, 'full') : [];
  const candidates = concat(exampleValues(owner), sampleAll(sources, schema, extent), more);
  return findSample(candidates, verdict, (value) => isWritable(parameter, value));
}

async function sampleBody(
  { judge, sources }: Planner,
  content: Content,
  extent: Extent,
): Promise<Json> {
  const schema = content.schema ?? content.itemSchema;
  const [example] = exampleValues(content.owner);
  if (schema === undefined) return example ?? 'fern';
  const verdict = await judge.verdict(schema, 'request');
  const isFirst = extent === 'full' ? exampleValues(content.owner) : [];
  const found = findSample(concat(isFirst, sampleAll(sources, schema, extent)), verdict);
  if (found === undefined) throw new NotJudged('no valid value for the body');
  return found;
}

function* concat<T>(...lists: readonly Iterable<T>[]): Generator<T> {
  for (const list of lists) yield* list;
}

/** The difference between a broken request and its plan. */
export interface Breakage {
  readonly without?: Parameter;
  readonly text?: { readonly parameter: Parameter; readonly text: string };
  readonly body?: Json;
  readonly bytes?: Buffer;
  readonly noBody?: boolean;
  readonly contentType?: string;
  readonly noCredentials?: boolean;
}

/** Writes a request. @throws {NotJudged} for what the sweep cannot write */
export function writePlan(plan: Plan, extra: Record<string, string>, how: Breakage = {}): Sent {
  const { operation } = plan;
  const draft: Draft = { path: operation.path, pairs: [], cookies: [], fields: { ...extra } };
  for (const [parameter, planned] of plan.values) {
    if (parameter === how.without) continue;
    writeParameter(draft, parameter, parameter === how.text?.parameter ? how.text.text : planned);
  }
  addCredentials(draft, how.noCredentials ? [] : plan.credentials);
  const { pairs, cookies, fields } = draft;
  if (cookies.length > 0) fields['Cookie'] = cookies.join('; ');
  const body = writeBody(plan, how, fields);
  // An undeclared name in the template takes any text.
  const path = encodeTemplate(draft.path.replace(/\{[^}]*\}/g, 'fern'));
  const target = path + (pairs.length > 0 ? `?${pairs.join('&')}` : '');
  return { method: operation.method, target, fields, body };
}

/** A request while it is written. */
interface Draft {
  path: string;
  readonly pairs: string[];
  readonly cookies: string[];
  readonly fields: Record<string, string>;
}

function writeParameter(draft: Draft, parameter: Parameter, value: Json): void {
  const { name, style, explode } = parameter;
  const join = (pairs: readonly (readonly [string, string])[]) =>
    pairs.map(([key, text]) => `${key}=${text}`);
  switch (parameter.in) {
    case 'path':
      draft.path = draft.path.replaceAll(`{${name}}`, () => pathText(parameter, value));
      break;
    case 'query':
      draft.pairs.push(...join(written(parameter, value)));
      break;
    case 'querystring':
      draft.pairs.push(encode(typeof value === 'string' ? value : JSON.stringify(value)));
      break;
    case 'cookie':
      draft.cookies.push(...join(writePairs(name, value, style, explode)));
      break;
    default:
      draft.fields[name] = parameter.mediaType
        ? JSON.stringify(value)
        : writeHeader(value, explode);
  }
}

function pathText(parameter: Parameter, value: Json): string {
  if (parameter.mediaType !== undefined) return encode(JSON.stringify(value));
  return writePath(parameter.name, value, parameter.style, parameter.explode);
}

function written(parameter: Parameter, value: Json): readonly (readonly [string, string])[] {
  const { name, style, explode, mediaType } = parameter;
  if (mediaType === undefined) return writePairs(name, value, style, explode);
  const text = /json/.test(mediaType) ? JSON.stringify(value) : toText(value);
  return [[encode(name), encode(text)]];
}

/** Encodes the literal parts of a template only where a target requires it. */
function encodeTemplate(path: string): string {
  return path.replace(/[^!-~]|["<>\\^`{|}#?]/g, (character) => encode(character));
}

function addCredentials(draft: Draft, credentials: readonly Credential[]): void {
  for (const { in: where, name, value } of credentials) {
    if (where === 'header') draft.fields[name] = value;
    if (where === 'query') draft.pairs.push(`${encode(name)}=${encode(value)}`);
    if (where === 'cookie') draft.cookies.push(`${name}=${value}`);
  }
}

function writeBody(plan: Plan, how: Breakage, fields: Record<string, string>): Buffer | undefined {
  if (plan.body === undefined || how.noBody === true) return undefined;
  const { content, value } = plan.body;
  const concrete = { ...content, mediaType: makeConcrete(content.mediaType) };
  const { contentType, bytes } = encodeBody(
    concrete,
    how.body === undefined ? value : how.body,
    plan.xml,
  );
  fields['Content-Type'] = how.contentType ?? contentType;
  return how.bytes ?? bytes;
}
