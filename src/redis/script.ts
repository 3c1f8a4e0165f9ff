import { createHash } from 'node:crypto';

/** Lua that Redis runs in one step: nothing comes between its commands. */
export interface Script {
  readonly lua: string;
  /** What Redis knows it by, once it has seen it. */
  readonly digest: string;
}

/** @param lua is given its keys as `KEYS`, of which all are of one session, the rest as `ARGV` */
export function defineScript(lua: string): Script {
  return Object.freeze({ lua, digest: createHash('sha1').update(lua).digest('hex') });
}
