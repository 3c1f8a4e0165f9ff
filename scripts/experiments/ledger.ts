import type { Pipeline, Reply } from './pipeline.ts';
import type { Trial } from './support.ts';

/** A plant as the experiments send it. */
export interface Plant {
  readonly id: number;
  readonly name: string;
  readonly height?: number;
}

/** The requests to a mock about plants, and the responses. */
export class Ledger {
  /** Creates that were sent, whatever came of them. */
  readonly sent = new Set<number>();
  /** Creates that were answered with 2xx. */
  readonly created = new Set<number>();
  /** Deletes that were sent. */
  readonly deleting = new Set<number>();
  /** Deletes that were answered with 2xx. */
  readonly deleted = new Set<number>();
  readonly #padding: number;

  /** @param padding how long names are, about: a large one fills a disk soon */
  constructor(padding = 50) {
    this.#padding = padding;
  }

  /** A name whose end tells that it is whole, and whose it is. */
  nameOf(id: number): string {
    return `plant ${id} ${'-'.repeat(this.#padding + (id % 50))} ${id}`;
  }

  /** Sends a create. @returns its answer; nothing where there was none */
  async create(line: Pipeline, id: number): Promise<Reply | undefined> {
    this.sent.add(id);
    const body = JSON.stringify({ id, name: this.nameOf(id) });
    const reply = await line.send('/plants', { method: 'POST', body });
    if (isSuccess(reply)) this.created.add(id);
    return reply;
  }

  /** Sends a delete. @returns its answer; nothing where there was none */
  async delete(line: Pipeline, id: number): Promise<Reply | undefined> {
    this.deleting.add(id);
    const reply = await line.send(`/plants/${id}`, { method: 'DELETE' });
    if (isSuccess(reply)) this.deleted.add(id);
    return reply;
  }

  forget(): void {
    for (const ids of [this.sent, this.created, this.deleting, this.deleted]) ids.clear();
  }

  /** Prints whether a store that holds these plants has kept what was said. */
  judge(trial: Trial, plants: readonly Plant[], when: string): void {
    const held = new Set(plants.map(({ id }) => id));
    const lost = [...this.created].filter((id) => !held.has(id) && !this.deleting.has(id));
    const back = [...this.deleted].filter((id) => held.has(id));
    const unknown = plants.filter(({ id }) => !this.sent.has(id));
    const half = plants.filter(({ id, name }) => name !== this.nameOf(id));
    const count = this.created.size;
    trial.expect(
      lost.length === 0,
      `${when}: none of ${count} that were told is lost${some(lost)}`,
    );
    if (this.deleting.size > 0) {
      const deleted = this.deleted.size;
      trial.expect(back.length === 0, `${when}: none of ${deleted} deleted is back${some(back)}`);
    }
    trial.expect(
      held.size === plants.length && half.length === 0 && unknown.length === 0,
      `${when}: none of ${plants.length} stored is there twice (${plants.length - held.size}), ` +
        `half (${half.length}) or was never sent (${unknown.length})`,
    );
  }
}

export function isSuccess(reply: Reply | undefined): boolean {
  return reply !== undefined && reply.status >= 200 && reply.status < 300;
}

/** How many of a collection are asked for at once. */
const PAGE = 5_000;

/** @returns what the store holds of a collection, by the control API */
export async function readCollection(
  url: string,
  collection = 'plants',
): Promise<readonly Plant[]> {
  const plants: Plant[] = [];
  for (;;) {
    const query = `limit=${PAGE}&offset=${plants.length}`;
    const response = await fetch(`${url}/__admin/state/${collection}?${query}`);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`the state: ${response.status} ${text}`);
    const page = JSON.parse(text) as readonly Plant[];
    plants.push(...page);
    if (page.length !== PAGE) return plants;
  }
}

/** @returns ids for a message; nothing where there are none */
function some(ids: readonly number[]): string {
  return ids.length === 0 ? '' : `: ${ids.length}, such as ${ids.slice(0, 5).join(', ')}`;
}
