import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A script that tries one fault. */
export interface Experiment {
  readonly number: number;
  /** Of the file, without number and ending. */
  readonly name: string;
  readonly file: string;
}

/** @returns the experiments there are, by their numbers */
export function findExperiments(): readonly Experiment[] {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  return readdirSync(folder)
    .flatMap((entry) => {
      const [, number, name] = /^(\d+)-(.+)\.ts$/.exec(entry) ?? [];
      if (number === undefined || name === undefined) return [];
      return { number: Number(number), name, file: join(folder, entry) };
    })
    .sort((one, other) => one.number - other.number);
}
