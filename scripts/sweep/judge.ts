import {
  addKeyword,
  BASIC,
  type CompiledSchema,
  defineVocabulary,
  getSchema,
  interpret,
  loadDialect,
  Validation,
} from '@hyperjump/json-schema/experimental';
import * as Instance from '@hyperjump/json-schema/instance/experimental';
import {
  registerSchema,
  type SchemaFragment,
  setShouldValidateSchema,
} from '@hyperjump/json-schema/openapi-3-1';
import '@hyperjump/json-schema/openapi-3-0';
import { type Description, NotJudged, type Place } from './description.ts';
import type { Json } from './json.ts';
import { ownKeywords } from './judge-keywords.ts';
import {
  DIALECTS,
  type Direction,
  SchemaLowering,
  type Strictness,
  type Target,
} from './schema-lowering.ts';

/** The verdict on a value: nothing, or why it is invalid. */
export type Verdict = (value: Json) => string | undefined;

const VOCABULARIES = [
  'core', 'applicator', 'unevaluated', 'validation', 'meta-data', 'format-annotation', 'content',
]; // biome-ignore format: a list of names
const OWN = 'https://sweep.invalid/vocabulary';

let prepared = false;

function prepareDialects(): void {
  if (prepared) return;
  prepared = true;
  // Real documents hold schemas that their meta-schema forbids, and mean something by them.
  setShouldValidateSchema(false);
  const names: Record<string, string> = {};
  for (const [name, keyword] of Object.entries(ownKeywords())) {
    addKeyword(keyword);
    names[name] = keyword.id;
  }
  defineVocabulary(OWN, names);
  const modern = VOCABULARIES.map((name) => `https://json-schema.org/draft/2020-12/vocab/${name}`);
  loadDialect(DIALECTS['3.1'], { ...entries(modern), [OWN]: true }, true);
  loadDialect(
    DIALECTS['3.0'],
    { 'https://spec.openapis.org/oas/3.0/dialect': true, [OWN]: true },
    true,
  );
}

function entries(names: readonly string[]): Record<string, boolean> {
  return Object.fromEntries(names.map((name) => [name, true]));
}

/**
 * Judges values by the schemas of a description, with @hyperjump/json-schema: it shares no line
 * with the mock. A schema is compiled when a value is first held against it.
 */
export class Judge {
  readonly #description: Description;
  readonly #ast = { metaData: {}, plugins: new Set() } as unknown as CompiledSchema['ast'];
  readonly #names = new Map<string, string>();
  readonly #registered = new Set<string>();
  readonly #verdicts = new Map<string, Verdict | NotJudged>();

  constructor(description: Description) {
    prepareDialects();
    this.#description = description;
  }

  /** @throws {NotJudged} when the schema cannot be judged by, with the reason */
  async verdict(
    { file, pointer }: Place,
    direction: Direction,
    strictness: Strictness = 'one',
  ): Promise<Verdict> {
    const target = { file, pointer, waived: [] };
    const name = this.#nameOf(target, direction, strictness);
    let verdict = this.#verdicts.get(name);
    if (verdict === undefined) {
      verdict = await this.#compile(target, direction, strictness).catch(asNotJudged);
      this.#verdicts.set(name, verdict);
    }
    if (verdict instanceof NotJudged) throw verdict;
    return verdict;
  }

  async #compile(target: Target, direction: Direction, strictness: Strictness): Promise<Verdict> {
    const name = this.#nameOf(target, direction, strictness);
    this.#register(target, direction, strictness);
    const schema = await getSchema(name);
    const schemaUri = await Validation.compile(schema, this.#ast, schema);
    const compiled = { ast: this.#ast, schemaUri };
    return (value) => {
      const instance = Instance.fromJs(value as never);
      if (interpret(compiled, instance).valid) return undefined;
      return explain(interpret(compiled, instance, BASIC));
    };
  }

  #nameOf({ file, pointer, waived }: Target, direction: Direction, strictness: Strictness): string {
    const key = `${direction} ${strictness} ${waived.join(' ')} ${file}#${pointer}`;
    let name = this.#names.get(key);
    if (name === undefined) {
      name = `https://sweep.invalid/${counter()}`;
      this.#names.set(key, name);
    }
    return name;
  }

  /** Registers the schema and every schema that it refers to; none where one cannot be lowered. */
  #register(first: Target, direction: Direction, strictness: Strictness): void {
    const lowering = new SchemaLowering(this.#description, direction, strictness, (target) =>
      this.#nameOf(target, direction, strictness),
    );
    const lowered = new Map<string, Json>();
    const open: Target[] = [first];
    for (let target = open.pop(); target !== undefined; target = open.pop()) {
      const name = this.#nameOf(target, direction, strictness);
      if (this.#registered.has(name) || lowered.has(name)) continue;
      const { schema, targets } = lowering.lower(target);
      lowered.set(name, schema);
      open.push(...targets);
    }
    const dialect = DIALECTS[this.#description.version];
    for (const [name, schema] of lowered) {
      this.#registered.add(name);
      registerSchema(schema as SchemaFragment as boolean, name, dialect);
    }
  }
}

let count = 0;
function counter(): number {
  count += 1;
  return count;
}

function asNotJudged(error: unknown): NotJudged {
  if (error instanceof NotJudged) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new NotJudged(`the judge cannot compile the schema: ${message.slice(0, 120)}`);
}

function explain(output: unknown): string {
  const { errors } = output as { errors?: { keyword: string; instanceLocation: string }[] };
  const told = (errors ?? []).map(({ keyword, instanceLocation }) => {
    return `${instanceLocation.replace(/^.*#/, '') || '(whole)'} ${keyword.split('/').at(-1)}`;
  });
  return [...new Set(told)].slice(0, 6).join('; ') || 'invalid';
}
