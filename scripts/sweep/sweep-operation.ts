import { listBreaks } from './breakages.ts';
import { type Answer, NoAnswer, type Sent } from './client.ts';
import { NotJudged } from './description.ts';
import { isEncodable } from './encode-body.ts';
import type { FailureKind } from './figures.ts';
import { type Judgement, type Judging, judgeAnswer } from './judge-answer.ts';
import { isJson, makeConcrete, matches } from './media-type.ts';
import { type Content, findResponse, type Operation } from './operation.ts';
import { type Breakage, makePlan, type Plan, type Planner, writePlan } from './plan.ts';
import type { Extent } from './samples.ts';
import type { Tally } from './tally.ts';

/** Material for sweeping an operation. */
export interface Sweeping extends Planner, Judging {
  readonly tally: Tally;
  /** Sends a request; a server that hangs or died has been started again when it throws. */
  readonly send: (sent: Sent) => Promise<Answer>;
}

/** Sweeps one operation: valid requests, wishes, broken requests. */
export async function sweepOperation(sweeping: Sweeping, operation: Operation): Promise<void> {
  const { tally } = sweeping;
  if (!/^(?:GET|PUT|POST|DELETE|OPTIONS|HEAD|PATCH|TRACE)$/.test(operation.method)) {
    tally.skip(`the method ${operation.method}, which Node does not know`, operation.path);
    tally.figures.unmade += 1;
    return;
  }
  const plans = await makePlans(sweeping, operation);
  const [first] = plans;
  if (first === undefined) {
    tally.figures.unmade += 1;
    return;
  }
  let status: number | undefined;
  for (const plan of plans) status = (await sendValid(sweeping, plan)) ?? status;
  if (operation.basePath !== '') await sendValid(sweeping, first, operation.basePath);
  await askForStatuses(sweeping, first);
  if (status !== undefined) await askForTypes(sweeping, first, status);
  await sendBroken(sweeping, first);
}

async function makePlans(sweeping: Sweeping, operation: Operation): Promise<Plan[]> {
  const bodies = operation.body?.contents ?? [];
  const contents = bodies.filter(({ mediaType }) => isEncodable(makeConcrete(mediaType)));
  for (const { mediaType } of bodies) {
    if (!isEncodable(makeConcrete(mediaType)))
      sweeping.tally.skip(`a request body of ${mediaType}`, nameOf(operation));
  }
  const sorted = [...contents].sort((a, b) => rank(a) - rank(b));
  const drawn = { ...sweeping, sources: sweeping.sources.toReversed() };
  const wanted: [Extent, Content | undefined, Planner][] = [
    ...(sorted.length === 0 ? [undefined] : sorted).map(
      (one): [Extent, Content | undefined, Planner] => ['full', one, sweeping],
    ),
    ['minimal', operation.body?.required === true ? sorted[0] : undefined, sweeping],
    ['full', sorted[0], drawn],
  ];
  const mustHaveBody = operation.body?.required === true && sorted.length === 0;
  const plans: Plan[] = [];
  for (const [extent, content, planner] of mustHaveBody ? [] : wanted) {
    try {
      const plan = await makePlan(planner, operation, extent, content);
      writePlan(plan, {});
      plans.push(plan);
    } catch (error) {
      if (!(error instanceof NotJudged)) throw error;
      sweeping.tally.skip(`no request: ${error.message}`, nameOf(operation));
    }
  }
  return plans;
}

function nameOf({ method, path }: Operation): string {
  return `${method} ${path}`;
}

function rank({ mediaType }: Content): number {
  return isJson(mediaType) ? 0 : 1;
}

/** @returns the answer's status */
async function sendValid(
  sweeping: Sweeping,
  plan: Plan,
  basePath = '',
): Promise<number | undefined> {
  const { tally } = sweeping;
  const written = writePlan(plan, {});
  const sent = { ...written, target: basePath + written.target };
  tally.figures.made += 1;
  const answer = await exchange(sweeping, plan, sent);
  if (answer === undefined) return undefined;
  if (isUnasked(sweeping, plan, sent, answer)) return undefined;
  if (isRefusal(plan, answer)) {
    tally.fail('valid request refused', plan.operation, `status ${answer.status}`, sent, answer);
    return undefined;
  }
  tally.figures.accepted += 1;
  await judge(sweeping, plan, sent, answer, 'invalid answer');
  return answer.status;
}

async function exchange(
  { tally, send }: Sweeping,
  { operation }: Plan,
  sent: Sent,
): Promise<Answer | undefined> {
  try {
    return await send(sent);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    if (error.isHang) tally.figures.hangs += 1;
    else tally.figures.deaths += 1;
    tally.fail(error.isHang ? 'hang' : 'death', operation, error.message, sent);
    return undefined;
  }
}

/** @returns true for a 5xx that nobody asked for */
function isUnasked(
  { tally }: Sweeping,
  { operation }: Plan,
  sent: Sent,
  answer: Answer,
  asked?: number,
): boolean {
  if (answer.status < 500 || answer.status === asked) return false;
  const isOnlyOne = findResponse(operation, answer.status) !== undefined && !hasSuccess(operation);
  if (isOnlyOne) return false;
  const text = answer.body.toString('utf8').slice(0, 300);
  if (answer.status === 501) {
    tally.figures.notServed += 1;
    tally.fail('not served', operation, text, sent, answer);
  } else {
    tally.figures.serverErrors += 1;
    tally.fail('server error', operation, `status ${answer.status}: ${text}`, sent, answer);
  }
  return true;
}

function hasSuccess(operation: Operation): boolean {
  return operation.responses.some(({ key }) => /^[23]/.test(key) || key === 'default');
}

/** A 4xx to a valid request is a refusal, but where the document has nothing else to say. */
function isRefusal({ operation }: Plan, { status }: Answer): boolean {
  return status >= 400 && (hasSuccess(operation) || findResponse(operation, status) === undefined);
}

async function judge(
  sweeping: Sweeping,
  { operation }: Plan,
  sent: Sent,
  answer: Answer,
  kind: FailureKind,
): Promise<Judgement> {
  const { tally } = sweeping;
  const judgement = await judgeAnswer(sweeping, operation, answer);
  for (const reason of judgement.notJudged) tally.skip(reason, nameOf(operation));
  if (judgement.faults.length > 0) {
    tally.figures.judged += 1;
    tally.fail(kind, operation, judgement.faults.join('; '), sent, answer);
  } else if (judgement.notJudged.length === 0) {
    tally.figures.judged += 1;
    tally.figures.valid += 1;
  }
  return judgement;
}

function isPrefer({ in: location, name }: Operation['parameters'][number]): boolean {
  return location === 'header' && name.toLowerCase() === 'prefer';
}

const RANGES: Readonly<Record<string, number>> = { '4XX': 400, '5XX': 500, '2XX': 200, '3XX': 300 };

async function askForStatuses(sweeping: Sweeping, plan: Plan): Promise<void> {
  const { tally } = sweeping;
  if (plan.operation.parameters.some(isPrefer)) {
    tally.skip('a wish, where the document has a Prefer of its own', nameOf(plan.operation));
    return;
  }
  for (const { key } of plan.operation.responses) {
    const status = RANGES[key.toUpperCase()] ?? Number(key);
    if (!(status >= 200 && status <= 599)) continue;
    const sent = writePlan(plan, { Prefer: `code=${status}` });
    tally.figures.codeAsked += 1;
    const answer = await exchange(sweeping, plan, sent);
    if (answer === undefined || isUnasked(sweeping, plan, sent, answer, status)) continue;
    if (answer.status !== status) {
      const said = `asked for ${status}, got ${answer.status}`;
      tally.fail('Prefer not kept', plan.operation, said, sent, answer);
      continue;
    }
    const { faults } = await judge(sweeping, plan, sent, answer, 'invalid answer');
    if (faults.length === 0) tally.figures.codeKept += 1;
  }
}

async function askForTypes(sweeping: Sweeping, plan: Plan, status: number): Promise<void> {
  const { tally } = sweeping;
  if (plan.operation.method === 'HEAD') return;
  for (const { mediaType } of findResponse(plan.operation, status)?.contents ?? []) {
    const sent = writePlan(plan, { Accept: mediaType });
    tally.figures.typeAsked += 1;
    const answer = await exchange(sweeping, plan, sent);
    if (answer === undefined || isUnasked(sweeping, plan, sent, answer)) continue;
    const type = answer.fields['content-type'];
    if (isRefusal(plan, answer) || (type !== undefined && !matches(mediaType, type))) {
      const said = `asked for ${mediaType}, got ${answer.status} ${type}`;
      tally.fail('Accept not kept', plan.operation, said, sent, answer);
      continue;
    }
    const { faults } = await judge(sweeping, plan, sent, answer, 'invalid answer');
    if (faults.length === 0) tally.figures.typeKept += 1;
  }
}

async function sendBroken(sweeping: Sweeping, plan: Plan): Promise<void> {
  const { tally } = sweeping;
  for (const { kind, what, how, isDoubtful } of await listBreaks(sweeping.judge, plan)) {
    if (isDoubtful === true) {
      tally.skip('a break that a discriminator may mend', nameOf(plan.operation));
      continue;
    }
    const sent = tryWrite(plan, how);
    if (sent === undefined) continue;
    tally.figures.broken += 1;
    const answer = await exchange(sweeping, plan, sent);
    if (answer === undefined || isUnasked(sweeping, plan, sent, answer)) continue;
    if (answer.status < 400) {
      const said = `${kind}: ${what}: status ${answer.status}`;
      tally.fail('broken request accepted', plan.operation, said, sent, answer);
      continue;
    }
    tally.figures.refused += 1;
    await judgeRefusal(sweeping, plan, sent, answer, kind);
  }
}

/** @returns undefined for a value that its media type has no way to write */
function tryWrite(plan: Plan, how: Breakage): Sent | undefined {
  try {
    return writePlan(plan, {}, how);
  } catch (error) {
    if (error instanceof NotJudged) return undefined;
    throw error;
  }
}

/** Statuses that ask for something particular, and so speak for no other cause. */
const DEMANDING = /^4(?:01|07|08|21|25|26|28|29|31)$/;

/**
 * A refusal must be a declared answer where a 4xx is declared that could be one: a 429 says nothing
 * of a wrong body, a 401 only of the credential.
 */
async function judgeRefusal(
  sweeping: Sweeping,
  { operation }: Plan,
  sent: Sent,
  answer: Answer,
  kind: string,
): Promise<void> {
  const isMeant = (key: string): boolean =>
    key === '401' ? kind === 'credential' : /^4|^default$/.test(key) && !DEMANDING.test(key);
  if (!operation.responses.some(({ key }) => isMeant(key))) return;
  const { tally } = sweeping;
  // A missing credential is said as what it is, or as one of these; never as a missing resource.
  const isOwn = (key: string): boolean => /^(?:401|403|4XX|default|400)$/i.test(key);
  if (kind === 'credential' && !operation.responses.some(({ key }) => isOwn(key))) return;
  const { faults, notJudged } = await judgeAnswer(sweeping, operation, answer);
  for (const reason of notJudged) tally.skip(reason, nameOf(operation));
  if (faults.length === 0 && notJudged.length > 0) return;
  tally.figures.declarable += 1;
  if (faults.length === 0) tally.figures.asDeclared += 1;
  else {
    const said = `${kind}: ${faults.join('; ')}`;
    tally.fail('refusal not as declared', operation, said, sent, answer);
  }
}
