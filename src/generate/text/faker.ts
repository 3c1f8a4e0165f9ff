import { createRequire } from 'node:module';
import { toTimestamp } from '../../base/clock.ts';
import { toJson } from '../../base/json/stringify.ts';
import { isJsonObject, type JsonValue } from '../../base/json/value.ts';
import type { Chance } from '../chance.ts';

/** Modules of @faker-js/faker that were renamed, by the old names that documents still use. */
const renamed: ReadonlyMap<string, string> = new Map([
  ['name', 'person'],
  ['address', 'location'],
  ['time', 'date'],
  ['random', 'helpers'],
]);

type Module = Readonly<Record<string, unknown>>;
type FakerInstance = Readonly<Record<string, Module | undefined>> & {
  setDefaultRefDate(date: number): void;
};
interface FakerClass {
  new (options: {
    readonly locale: unknown;
    readonly randomizer: { next(): number; seed(): void };
  }): FakerInstance;
}

const require = createRequire(import.meta.url);

/** Draws values by `x-faker`. Loads @faker-js/faker with the first schema that needs it. */
export class FakerValues {
  #faker: FakerInstance | undefined;
  #chance: Chance | undefined;

  /**
   * @param wish `internet.email`, or `{"finance.amount": [1, 10]}` with arguments
   * @returns undefined for a method that faker does not have
   */
  draw(wish: JsonValue, chance: Chance): JsonValue | undefined {
    const [name, given] = isJsonObject(wish) ? (Object.entries(wish)[0] ?? []) : [wish];
    if (typeof name !== 'string') return undefined;
    const [module = '', method = ''] = name.split('.');
    this.#chance = chance;
    this.#faker ??= this.#load();
    this.#faker.setDefaultRefDate(chance.now);
    const owner = this.#faker[module] ?? this.#faker[renamed.get(module) ?? ''];
    const call = owner?.[method];
    if (typeof call !== 'function') return undefined;
    try {
      const words = given === undefined || given === null ? [] : [given].flat();
      const drawn: unknown = call.apply(owner, words);
      return drawn instanceof Date ? toTimestamp(drawn.getTime()) : toJson(drawn);
    } catch {
      // The arguments come from the document: a wrong one can fail in any way.
      return undefined;
    }
  }

  #load(): FakerInstance {
    const { faker } = require('@faker-js/faker/locale/en') as {
      faker: { readonly constructor: FakerClass; readonly rawDefinitions: unknown };
    };
    const next = (): number => this.#chance?.random.next() ?? 0;
    return new faker.constructor({
      locale: faker.rawDefinitions,
      randomizer: { next, seed: () => undefined },
    });
  }
}
