import type { Octokit } from '@octokit/rest';

/** What a caller sees of a response. */
interface Seen<Data> {
  readonly status: number;
  readonly data: Data;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** A script of calls: it remembers which of them do not behave as the service does. */
export class Script {
  readonly titles: string[] = [];
  readonly wrongStatuses: string[] = [];
  readonly unlike: string[] = [];

  /**
   * Makes a call.
   *
   * @param looksRight returns false for a response that the service would not give; one that throws
   *   counts as false
   * @returns the data of the response; undefined if the call fails
   */
  async call<Data>(
    title: string,
    status: number,
    send: () => Promise<Seen<Data>>,
    looksRight: (data: Data, headers: Seen<Data>['headers']) => boolean = () => true,
  ): Promise<Data | undefined> {
    this.titles.push(title);
    let seen: Seen<Data> | undefined;
    try {
      seen = await send();
    } catch (error) {
      const found = statusOf(error);
      if (found !== status) this.wrongStatuses.push(`${title}: ${found ?? String(error)}`);
      return undefined;
    }
    if (seen.status !== status) this.wrongStatuses.push(`${title}: ${seen.status}`);
    else if (!isTrue(() => looksRight(seen.data, seen.headers))) this.unlike.push(title);
    return seen.data;
  }
}

function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' ? status : undefined;
}

function isTrue(test: () => boolean): boolean {
  try {
    return test();
  } catch {
    return false;
  }
}

/** What the parts of the script share. */
export interface Walk {
  readonly script: Script;
  readonly github: Octokit;
  readonly baseUrl: string;
  /** The login of the caller. */
  readonly me: string;
  /** The repository that the parts work in. */
  readonly repo: { readonly owner: string; readonly repo: string };
}

export const base64 = (text: string): string => Buffer.from(text).toString('base64');
