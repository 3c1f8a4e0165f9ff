/** Requests that differ by an id alone; `$ID` stands where it goes. */
export interface Requests {
  readonly title: string;
  readonly method: string;
  readonly path: string;
  /** Empty for none. */
  readonly body: string;
  readonly fields: Readonly<Record<string, string>>;
  /** So many ids go round, from 1 on. */
  readonly ids: number;
  /** From one id to the next; 1 where it is not said. */
  readonly step?: number;
  /** True where the right answer has a status of 400 or more. */
  readonly areRefused: boolean;
}

const idPlace = '$ID';

export function fillId(template: string, id: number): string {
  return template.replaceAll(idPlace, String(id));
}

/** @returns the ids in the order in which they go round */
export function idsOf({ ids, step = 1 }: Requests): readonly number[] {
  return Array.from({ length: ids }, (_, index) => 1 + index * step);
}
