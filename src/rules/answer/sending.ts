import type { JsonValue } from '../../base/json/value.ts';
import { listOutgoing, type OutgoingOperation } from '../../contract/callbacks.ts';
import type { Contract } from '../../contract/contract.ts';
import type { FilePlace } from '../../document/file-place.ts';
import type { CompiledMatch } from '../match/compile-match.ts';
import type { Sending } from '../rule.ts';
import { type AnswerJson, fieldsOf } from './given-answer.ts';

/** The members of an answer that a callback can have. */
const OF_CALLBACKS = [
  'deliveries',
  'body',
  'headers',
  'offContract',
  'fixedDelayMilliseconds',
  'delayDistribution',
];

/** Compiles how a rule changes a callback; undefined for a rule of received requests. */
export function compileSending(
  place: FilePlace,
  answer: AnswerJson,
  { callback, operations }: CompiledMatch,
  contract: Contract,
): Sending | undefined {
  const { deliveries, body, offContract = false } = answer;
  if (callback === undefined) {
    if (deliveries === undefined) return undefined;
    const remedy = 'Name a callback: match: { callback: … }.';
    throw place.at('deliveries').fail('only callbacks have deliveries', remedy);
  }
  for (const name of Object.keys(answer)) {
    if (OF_CALLBACKS.includes(name)) continue;
    throw place.at(name).fail(`a callback has no ${name}`, `It has ${OF_CALLBACKS.join(', ')}.`);
  }
  const declared = listOutgoing(contract).filter(
    ({ outgoing, caller }) =>
      outgoing.name === callback &&
      (operations.length === 0 || (caller !== undefined && operations.includes(caller))),
  );
  if (body !== undefined && !offContract) {
    for (const { outgoing } of declared) refuseBody(place.at('body'), body, outgoing);
  }
  const fields = Object.entries(fieldsOf(answer)).map(([name, value]) => [
    name.toLowerCase(),
    value,
  ]);
  return {
    deliveries,
    body: body === undefined ? undefined : { value: body, offContract },
    fields: Object.fromEntries(fields),
  };
}

function refuseBody(
  place: FilePlace,
  body: JsonValue,
  { name, contents }: OutgoingOperation,
): void {
  const [violation] = contents[0]?.schema?.check(body, 'body') ?? [];
  if (violation === undefined) return;
  throw place.fail(
    `the body breaks the contract of the callback ${name}: ${violation.message}`,
    'Correct the body; offContract: true allows one outside of the contract.',
  );
}
