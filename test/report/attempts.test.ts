import assert from 'node:assert/strict';
import test from 'ava';
import { Fields, NO_BODY } from '../../src/http/message.ts';
import type { KeptExchange } from '../../src/journal/exchange.ts';
import { groupAttempts } from '../../src/report/attempts/group-attempts.ts';
import { doubtOf } from '../../src/report/attempts/logical-request.ts';
import { fc, holds } from '../support/properties.ts';

/** A request of a client, its time, and the response. */
interface Sent {
  readonly at: number;
  readonly target: string;
  readonly status: number;
  /** How long the response takes; milliseconds. */
  readonly takes: number;
  readonly id?: string;
}

/** Returns the exchanges of a journal, in the order of their arrival. */
function receive(sent: readonly Sent[]): readonly KeptExchange[] {
  const inOrder = [...sent].sort((one, other) => one.at - other.at);
  return inOrder.map(({ at, target, status, takes, id }, index) => ({
    number: index + 1,
    session: 'default',
    at,
    readyAt: at + takes,
    request: {
      method: 'GET',
      target,
      fields: new Fields(id === undefined ? {} : { 'x-request-id': id }),
      rawBody: NO_BODY,
    },
    operationId: 'readOrder',
    status,
    mediaType: undefined,
    responseFields: {},
    responseBody: null,
    source: 'state',
    problem: undefined,
    deviations: [],
    rules: [],
    fault: undefined,
    delayMilliseconds: takes,
    milliseconds: takes,
    replay: undefined,
  }));
}

const targets = fc.constantFrom('/orders/1', '/orders/2', '/orders/3');
const traffic = fc.array(
  fc.record({
    at: fc.nat(200_000),
    target: targets,
    status: fc.constantFrom(200, 201, 404, 429, 500, 503),
    takes: fc.nat(3000),
  }),
  { maxLength: 40 },
);

/** Requests with an id each, that fail some times, wait after each attempt, and succeed. */
const identified = fc.array(
  fc.record({
    at: fc.nat(60_000),
    target: targets,
    waits: fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1, maxLength: 4 }),
    takes: fc.nat(500),
  }),
  { minLength: 1, maxLength: 12 },
);

const numbersOf = (attempts: readonly KeptExchange[]): readonly number[] =>
  attempts.map(({ number }) => number);

test('every request is an attempt of exactly one logical request, in the order of arrival', (t) => {
  holds(
    t,
    fc.property(traffic, (sent) => {
      const exchanges = receive(sent);
      const groups = groupAttempts(exchanges).map(({ attempts }) => numbersOf(attempts));
      assert.deepEqual(
        groups.flat().toSorted((one, other) => one - other),
        numbersOf(exchanges),
      );
      for (const numbers of groups) {
        assert.deepEqual(
          numbers,
          numbers.toSorted((one, other) => one - other),
        );
      }
      const firsts = groups.map(([first = 0]) => first);
      assert.deepEqual(
        firsts,
        firsts.toSorted((one, other) => one - other),
      );
    }),
  );
});

test('attempts of one request have the same content, and none follows a success or begins before its failure has ended', (t) => {
  holds(
    t,
    fc.property(traffic, (sent) => {
      for (const { attempts } of groupAttempts(receive(sent))) {
        for (const [index, attempt] of attempts.entries()) {
          const before = attempts[index - 1];
          if (before === undefined) continue;
          assert.equal(attempt.request.target, before.request.target);
          assert.ok(before.status >= 400);
          assert.ok(before.readyAt <= attempt.at);
          assert.ok(attempt.at - before.readyAt <= 60_000);
        }
      }
    }),
  );
});

test('an id that is the same in all attempts finds them, however requests interleave', (t) => {
  holds(
    t,
    fc.property(identified, (requests) => {
      const sent = requests.flatMap(({ at, target, waits, takes }, index) => {
        const id = `request-${index}`;
        let begins = at;
        const failed = waits.map((wait) => {
          const attempt: Sent = { at: begins, target, status: 503, takes, id };
          begins += takes + wait;
          return attempt;
        });
        return [...failed, { at: begins, target, status: 200, takes, id }];
      });
      const groups = groupAttempts(receive(sent));
      assert.equal(groups.length, requests.length);
      for (const group of groups) {
        const ids = new Set(
          group.attempts.map(({ request }) => request.fields.get('x-request-id')),
        );
        assert.equal(ids.size, 1);
        assert.equal(doubtOf(group), undefined);
      }
    }),
  );
});

test('two requests at once with the same content and no id are in doubt, never told apart', (t) => {
  holds(
    t,
    fc.property(
      targets,
      fc.integer({ min: 1, max: 5000 }),
      fc.integer({ min: 2, max: 500 }),
      (target, wait, takes) => {
        const status = 503;
        const both = [0, 1].map((at): Sent => ({ at, target, status, takes }));
        const again = { at: 1 + takes + wait, target, status: 200, takes };
        const groups = groupAttempts(receive([...both, again]));
        const repeated = groups.filter(({ attempts }) => attempts.length > 1);
        assert.ok(repeated.every(({ doubt }) => doubt !== undefined));
        assert.ok(repeated.length > 0);
      },
    ),
  );
});

test('grouping does not depend on when the journal began', (t) => {
  holds(
    t,
    fc.property(traffic, fc.integer({ min: 0, max: 2 ** 40 }), (sent, later) => {
      const groupsOf = (all: readonly Sent[]) =>
        groupAttempts(receive(all)).map((group) => [numbersOf(group.attempts), doubtOf(group)]);
      const moved = sent.map((one) => ({ ...one, at: one.at + later }));
      assert.deepEqual(groupsOf(moved), groupsOf(sent));
    }),
  );
});
