/** Returns a name without case and punctuation: `petId`, `pet_id` and `PetID` become equal. */
export function plain(name: string): string {
  if (PLAIN.test(name)) return name;
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Returns the words of a name in lower case: `findByStatus` has three. */
export function wordsOf(name: string): readonly string[] {
  if (PLAIN.test(name)) return [name];
  return name
    .replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Returns the names of a table's rows. */
export function namesOf<Name extends string>(table: Readonly<Partial<Record<Name, unknown>>>) {
  return Object.keys(table) as Name[];
}

const PLAIN = /^[a-z]+$/;

const IRREGULAR: ReadonlyMap<string, string> = new Map(
  Object.entries({
    people: 'person',
    children: 'child',
    men: 'man',
    women: 'woman',
    mice: 'mouse',
    indices: 'index',
    vertices: 'vertex',
    matrices: 'matrix',
    analyses: 'analysis',
    statuses: 'status',
    addresses: 'address',
    aliases: 'alias',
    media: 'medium',
    criteria: 'criterion',
    movies: 'movie',
    cookies: 'cookie',
  }),
);

/** Words that end like a plural but are none. */
const SINGULAR =
  /(?:ss|us|is|news|series|species|access|analytics|metrics|statistics|dns|ssl|settings|gas)$/;

/** Returns the singular of a word: `branch` for `branches`. */
function singularOf(word: string): string {
  const lower = word.toLowerCase();
  const known = IRREGULAR.get(lower);
  if (known !== undefined) return known;
  if (SINGULAR.test(lower)) return word;
  if (lower.endsWith('ies') && lower.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|x|ss|zz)es$/.test(lower)) return word.slice(0, -2);
  return lower.endsWith('s') && lower.length > 2 ? word.slice(0, -1) : word;
}

/** Returns true for a plural: `plants`, `api-keys`, `people`. */
export function isPlural(name: string): boolean {
  const last = wordsOf(name).at(-1) ?? '';
  return singularOf(last) !== last;
}

/** Returns the singular of a name: `museum-hour` for `museum-hours`. */
export function singularName(name: string): string {
  const last = wordsOf(name).at(-1) ?? '';
  const start = name.length - last.length;
  return name.slice(0, start) + singularOf(name.slice(start));
}

const VERBS: ReadonlySet<string> = new Set(
  `accept acknowledge activate add advance analyze analyse answer apply approve archive assign
 attach authenticate authorize ban block build bulk buy calculate cancel capture change charge
 check checkout clear clone close commit compare complete compute confirm connect consume convert
 copy crosspost deactivate decline delete deliver demote deny deploy detach disable disconnect
 dismiss dispatch dispute download duplicate edit embed enable enqueue escalate estimate
 evaluate exchange execute expire export extend fetch finalize find finish flag follow fork forward
 freeze fulfil fulfill generate get grant hide hold ignore import index install introspect invite
 invoke join kick leave link lock login logout lookup make mark merge migrate move mute notify
 open parse pause pay pin ping play poll predict preview process promote prune publish pull
 purchase purge push put query reactivate read reboot rebuild recalculate recover redeem redeliver
 redo refresh refund register reject release reload remind remove rename render renew reopen reorder
 replace reply rerun resend reset resize resolve respond restart restore restrict
 resume retry return reveal revert revoke rollback rotate run save scale scan schedule search
 select send set share ship show sign signin signout signup simulate skip snooze sort split star
 start stop subscribe submit suspend switch sync synchronize test toggle track transcribe
 transfer transform translate trigger turn unarchive unassign unban unblock undelete undo unfollow
 unfreeze unhide uninstall unlink unlock unmute unpin unpublish unregister unstar unsubscribe
 unsuspend update upgrade upload upvote validate verify void vote withdraw write`.split(/\s+/),
);

/** Returns true for a name that begins with a verb: `cancel`, `findByStatus`, `mark-as-read`. */
export function isVerb(name: string): boolean {
  const [first = ''] = wordsOf(name);
  return VERBS.has(first);
}
