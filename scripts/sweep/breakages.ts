import { isMembers, type Json, setMember } from './json.ts';
import type { Judge, Verdict } from './judge.ts';
import { judgeReadings } from './judge-answer.ts';
import { isJson, isXml, matches } from './media-type.ts';
import type { Parameter } from './operation.ts';
import type { Breakage, Plan } from './plan.ts';
import { readTexts } from './text-readings.ts';

/** One way in which a request is made invalid. */
export interface Break {
  readonly kind: string;
  readonly what: string;
  readonly how: Breakage;
  /** True where the judge calls it a break only as long as a discriminator decides nothing. */
  readonly isDoubtful?: boolean;
}

const MOST_IN_BODY = 14;

/** @returns breaks of a request, each of which the judge calls one */
export async function listBreaks(judge: Judge, plan: Plan): Promise<Break[]> {
  return [
    ...breakCredentials(plan),
    ...(await breakParameters(judge, plan)),
    ...breakMessage(plan),
    ...(await breakBody(judge, plan)),
  ];
}

function breakCredentials({ operation, credentials }: Plan): Break[] {
  const isOptional = operation.security.some((one) => one !== undefined && one.length === 0);
  const isSent = credentials.some(({ in: where }) => where !== 'none');
  const onlyCertificate = operation.security.some((one) =>
    one?.every(({ in: where }) => where === 'none'),
  );
  if (isOptional || onlyCertificate || !isSent) return [];
  return [{ kind: 'credential', what: 'no credentials', how: { noCredentials: true } }];
}

const OUTSIDERS = ['sweep~outsider', '-987654321987', '0.123456789', 'x'.repeat(2_000)];

async function breakParameters(judge: Judge, { operation, values }: Plan): Promise<Break[]> {
  const breaks: Break[] = [];
  for (const [parameter, value] of values) {
    const { name, in: where, required, schema, mediaType } = parameter;
    if (where === 'querystring') continue;
    const what = `${where} ${name}`;
    if (required && where !== 'path') {
      breaks.push({ kind: 'parameter missing', what, how: { without: parameter } });
    }
    if (schema === undefined || typeof value === 'object' || mediaType !== undefined) continue;
    if (where === 'path' && !isAlone(operation.path, name)) continue;
    const verdict = await judge.verdict(schema, 'request');
    breaks.push(...breakValue(parameter, verdict).slice(0, 1));
  }
  return breaks;
}

/** @returns texts that no reading makes valid */
function breakValue(parameter: Parameter, verdict: Verdict): Break[] {
  return OUTSIDERS.flatMap((text) => {
    const said = judgeReadings(readTexts(text), verdict);
    if (said === undefined) return [];
    const what = `${parameter.in} ${parameter.name}: ${said}`;
    return [{ kind: 'parameter value', what, how: { text: { parameter, text } } }];
  });
}

/** Only where an expression is a whole segment is it clear which text is its value. */
function isAlone(path: string, name: string): boolean {
  return path.split('/').includes(`{${name}}`);
}

function breakMessage({ operation: { body }, body: planned }: Plan): Break[] {
  if (body === undefined || planned === undefined) return [];
  const breaks: Break[] = [];
  if (body.required) breaks.push({ kind: 'body missing', what: 'no body', how: { noBody: true } });
  const contentType = 'application/x-sweep';
  const takesAny = (mediaType: string) =>
    matches(mediaType, contentType) || mediaType === 'application/octet-stream';
  if (!body.contents.some(({ mediaType }) => takesAny(mediaType))) {
    breaks.push({ kind: 'content type', what: contentType, how: { contentType } });
  }
  if (isJson(planned.content.mediaType)) {
    const bytes = Buffer.from('{"sweep": ');
    breaks.push({ kind: 'malformed', what: 'half of a JSON text', how: { bytes } });
  }
  return breaks;
}

async function breakBody(judge: Judge, { body, xml }: Plan): Promise<Break[]> {
  const schema = body?.content.schema;
  if (body === undefined || schema === undefined) return [];
  const verdict = await judge.verdict(schema, 'request');
  const lenient = await judge.verdict(schema, 'request', 'any');
  const isTyped = isJson(body.content.mediaType);
  const isForm = /urlencoded|form-data/.test(body.content.mediaType);
  if (isTyped) return chooseBreaks(mutate(body.value), verdict, lenient);
  // In XML, an empty list is written like a missing one.
  const written: Verdict = (value) =>
    judgeReadings(xml.read(schema, xml.write(schema, value)), verdict);
  if (isXml(body.content.mediaType)) return chooseBreaks(mutateForm(body.value), written, lenient);
  return isForm ? chooseBreaks(mutateForm(body.value), verdict, lenient) : [];
}

/** Of each kind of change, and of each keyword that forbids it, a few are enough. */
function chooseBreaks(
  mutations: Iterable<[string, Json]>,
  verdict: Verdict,
  lenient: Verdict,
): Break[] {
  const found: Break[] = [];
  const counts = new Map<string, number>();
  for (const [what, value] of mutations) {
    const said = verdict(value);
    if (said === undefined) continue;
    const kind = what.startsWith('without') ? 'property missing' : 'body value';
    const key = `${what.replace(/ at .*$/, '')} ${said.split(/[ ;]/)[1]}`;
    const count = counts.get(key) ?? 0;
    if (count >= 3 || found.length >= MOST_IN_BODY) continue;
    counts.set(key, count + 1);
    const isDoubtful = lenient(value) === undefined;
    found.push({ kind, what: `${what}: ${said}`, how: { body: value }, isDoubtful });
  }
  return found;
}

/** @returns the value with one thing changed, each change once */
function* mutate(value: Json): Generator<[string, Json]> {
  for (const [pointer, current, rebuild] of visit(value, '', (one) => one)) {
    const at = `at ${pointer || '(whole)'}`;
    if (isMembers(current)) {
      for (const name of Object.keys(current)) {
        const rest = Object.fromEntries(Object.entries(current).filter(([one]) => one !== name));
        yield [`without ${name} ${at}`, rebuild(rest)];
      }
      yield [`an extra property ${at}`, rebuild({ ...current, 'sweep~extra': 1 })];
    }
    for (const [name, outsider] of otherValues(current)) yield [`${name} ${at}`, rebuild(outsider)];
  }
}

function* otherValues(current: Json): Generator<[string, Json]> {
  const replacements: [string, Json][] = [
    ['a text', 'sweep~outsider'],
    ['a number', 12.5],
    ['a boolean', true],
    ['null', null],
    ['a list', []],
    ['an object', {}],
  ];
  if (typeof current === 'number') {
    replacements.push(
      ['a large number', 1e18],
      ['a small number', -1e18],
      ['a fraction', current + 0.123],
    );
  } else if (typeof current === 'string') {
    replacements.push(['an empty text', ''], ['a long text', 'x'.repeat(5_000)]);
  } else if (Array.isArray(current) && current.length > 0) {
    const [first = null] = current;
    replacements.push(
      ['items twice', [...current, first]],
      ['many items', Array.from({ length: 200 }, () => first)],
    );
  }
  yield* replacements;
}

type Rebuild = (value: Json) => Json;

function* visit(
  value: Json,
  pointer: string,
  rebuild: Rebuild,
): Generator<[string, Json, Rebuild]> {
  yield [pointer, value, rebuild];
  if (pointer.split('/').length > 5) return;
  if (Array.isArray(value)) {
    for (const [index, item] of value.slice(0, 2).entries()) {
      const inside: Rebuild = (one) => rebuild(value.with(index, one));
      yield* visit(item, `${pointer}/${index}`, inside);
    }
  } else if (isMembers(value)) {
    for (const [name, item] of Object.entries(value)) {
      const inside: Rebuild = (one) => {
        const copy = { ...value };
        setMember(copy, name, one);
        return rebuild(copy);
      };
      yield* visit(item, `${pointer}/${name}`, inside);
    }
  }
}

/** In a form all is text: only what no reading makes valid is a break. */
function* mutateForm(value: Json): Generator<[string, Json]> {
  if (!isMembers(value)) return;
  for (const [name, item] of Object.entries(value)) {
    const rest = Object.fromEntries(Object.entries(value).filter(([one]) => one !== name));
    yield [`without ${name}`, rest];
    if (typeof item !== 'object')
      yield [`a text at /${name}`, { ...value, [name]: 'sweep~outsider' }];
  }
}
