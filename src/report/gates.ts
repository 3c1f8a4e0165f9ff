import { findNearestName } from '../base/nearest-name.ts';

export interface Measure {
  readonly covered: number;
  readonly total: number;
}

/** A share that must be reached. */
export interface Gate {
  readonly name: string;
  /** From 0 to 100. */
  readonly percent: number;
}

/**
 * Reads gates such as `operations=90`.
 *
 * @throws {RangeError} that names the remedy
 */
export function readGates(texts: readonly string[], names: readonly string[]): readonly Gate[] {
  return texts.map((text) => {
    const [, name = '', number = ''] = /^([A-Za-z]+)=(\d+(?:\.\d+)?)%?$/.exec(text) ?? [];
    const percent = Number(number);
    if (names.includes(name) && number !== '' && percent <= 100) return { name, percent };
    const meant = findNearestName(text.replace(/=.*/, ''), names) ?? names[0];
    throw new RangeError(
      `${JSON.stringify(text)} is no gate, write a name and a percentage such as ${meant}=90; ` +
        `the names are ${names.join(', ')}`,
    );
  });
}

/** Returns the percentage that is covered, rounded down; 100 where there is nothing to cover. */
export function percentOf({ covered, total }: Measure): number {
  return total === 0 ? 100 : Math.floor((covered * 100) / total);
}

/** Returns why a gate is missed; undefined if it is reached. */
export function missGate({ name, percent }: Gate, measure: Measure): string | undefined {
  const { covered, total } = measure;
  if (covered * 100 >= percent * total) return undefined;
  const missing = Math.ceil((percent * total) / 100) - covered;
  return `${name}: ${covered} of ${total} (${percentOf(measure)} %), the gate of ${percent} % needs ${missing} more`;
}
