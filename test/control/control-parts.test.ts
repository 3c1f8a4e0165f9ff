import test from 'ava';
import { createMock } from '../../src/assemble/mock.ts';
import type { Planned } from '../../src/client/operation-control.ts';
import { isTrustedOrigin } from '../../src/control/guard.ts';
import { readDuration } from '../../src/control/members.ts';
import { canMatch } from '../../src/control/wiremock/translate-mapping.ts';
import { toPattern } from '../../src/control/wiremock/translate-request.ts';
import { isPrivateHost, readHost } from '../../src/http/host.ts';
import { Fields } from '../../src/http/message.ts';
import { fc } from '../support/properties.ts';

test('a duration is a number with a unit, or an ISO 8601 duration', (t) => {
  const durations = {
    '250ms': 250,
    '1.5s': 1_500,
    '5m': 300_000,
    '2h': 7_200_000,
    '1d': 86_400_000,
    PT5M: 300_000,
    P1DT2H3M4S: 93_784_000,
    'PT0.25S': 250,
    P1D: 86_400_000,
  };
  for (const [text, milliseconds] of Object.entries(durations)) {
    t.is(readDuration(text), milliseconds, text);
  }
  for (const text of ['', '5', 'm', '-5m', '5 m', '5M', 'P', 'PT', 'P1DT', 'P1M', 'PTS', '5m5s']) {
    t.is(readDuration(text), undefined, text);
  }
});

test('a rule by method and path lists every operation that it names, and no other', async (t) => {
  const documentOf = (base: string, operationId: string) => ({
    openapi: '3.1.0',
    info: { title: operationId, version: '1' },
    servers: [{ url: base }],
    paths: {
      '/beds': { get: { operationId, responses: { 200: { description: 'All' } } } },
      '/pots': { get: { responses: { 200: { description: 'All' } } } },
    },
  });
  const document = [documentOf('/v1', 'listBeds'), documentOf('/v2', 'findBeds')];
  const mock = await createMock({ document });
  const session = mock.session();
  const [rule] = await session.fixtures.add({
    match: { method: 'GET', path: '/beds' },
    answer: { fixedDelayMilliseconds: 1 },
  });
  t.deepEqual(rule?.operationIds, ['listBeds', 'findBeds']);
  const planned = await session.control.post<Planned>('/fail', {
    method: 'GET',
    path: '/beds',
    delay: '1s',
  });
  t.deepEqual(
    planned.answers.map(({ operationId }) => operationId),
    ['listBeds', 'findBeds'],
  );
  await mock.close();
});

test('only addresses and private names are trusted hosts, whatever the port', (t) => {
  const trusted = [
    'localhost',
    'LOCALHOST:4010',
    'localhost.',
    '127.0.0.1:80',
    '192.168.7.20',
    '[::1]:4010',
    '[fe80::1]',
    'coldframe',
    'api.localhost',
    'host.docker.internal:4010',
    'printer.local',
    'api.test',
  ];
  for (const field of trusted) t.true(isPrivateHost(readHost(field) ?? 'x.example'), field);
  const foreign = [
    'evil.example',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'localhost.evil.example:80',
    'xlocal.example',
    '1.2.3',
  ];
  for (const field of foreign) t.false(isPrivateHost(readHost(field) ?? 'x.example'), field);
  for (const field of ['', ':80', 'a:b', '[::1', 'a:80:90', 'evil.example:99999999']) {
    t.is(readHost(field), undefined, field);
  }
});

/** The fields of a request to a host. */
const host = (name: string): Fields => new Fields({ host: name });

test('trusted origins are this machine, the same host and named hosts', (t) => {
  t.true(isTrustedOrigin('http://localhost:3000', host('localhost'), []));
  t.true(isTrustedOrigin('http://192.168.7.20:3000', host('192.168.7.20'), []));
  t.true(isTrustedOrigin('https://app.example.com', host('localhost'), ['App.example.com']));
  t.false(isTrustedOrigin('http://frontend:3000', host('coldframe'), []));
  t.false(isTrustedOrigin('null', host('null'), ['null']));
  t.false(isTrustedOrigin('https://evil.example', host('localhost'), ['app.example.com']));
  t.false(isTrustedOrigin('https://evil.example/@localhost', host('localhost'), []));
});

test('a URL pattern applies to the operations whose paths it can match', (t) => {
  t.true(canMatch('/plants', '/plants'));
  t.true(canMatch('/plants/[0-9]+', '/plants/{id}'));
  t.true(canMatch('/plants.*', '/plants/{id}/leaves'));
  t.true(canMatch('/plants\\?tag=.*', '/plants'));
  t.true(canMatch('^/(plants|trees)$', '/trees'));
  t.false(canMatch('/plants/[0-9]+', '/plants'));
  t.false(canMatch('/plants', '/plants/{id}'));
  t.false(canMatch('/trees/.*', '/plants/{id}'));
});

test('a pattern for a path can match the template of that path', (t) => {
  const segment = fc.stringMatching(/^[a-z0-9._~-]{1,6}$/);
  const part = fc.record({ isParameter: fc.boolean(), segment });
  const property = fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
    const template = parts
      .map(({ isParameter, segment: s }) => (isParameter ? '/{p}' : `/${s}`))
      .join('');
    const path = parts.map(({ segment: s }) => `/${s}`).join('');
    t.true(canMatch(toPattern(path), template), `${path} of ${template}`);
    t.false(canMatch(toPattern(`${path}/more`), template), `${path}/more of ${template}`);
  });
  fc.assert(property, { numRuns: 100 });
});
