import { toPath } from '../client/control-channel.ts';
import { type AgentTool, count, text } from './tool.ts';

const NAME = text('The name of the rule.');

/** Makes requests fail. */
export const failureTools: readonly AgentTool[] = [
  {
    name: 'fail_next',
    title: 'Make the next requests fail',
    description:
      'Makes the next requests of your session fail: with an HTTP status, a broken connection ' +
      'or a delay. Adds a rule that comes before all others and is used up after `times` ' +
      'requests. Returns the response that they will get.',
    effect: 'adds',
    input: {
      operationId: text('The operation; every operation by default.'),
      status: { type: 'integer', minimum: 100, maximum: 599, description: 'Such as 503.' },
      fault: text('In place of a status: such as CONNECTION_RESET_BY_PEER or EMPTY_RESPONSE.'),
      delay: text('Such as 250ms, 5s or 1m; alone or with a status.'),
      times: count('The number of requests; 1 by default.', 1),
      match: {
        type: 'object',
        description: 'Only matching requests, such as {"body": {"tag": "fern"}}.',
      },
      example: text('The name of an example of the response.'),
      body: { description: 'The body, which the document must allow.' },
      headers: { type: 'object', additionalProperties: { type: ['string', 'integer'] } },
      offContract: {
        type: 'boolean',
        description: 'True sends the response even if the document does not allow it.',
      },
    },
    run: ({ session }, failure) => session.control.post('/fail', failure),
  },
  {
    name: 'list_rules',
    title: 'List rules',
    description:
      'Lists the failure rules and profiles of your session in the order in which they are ' +
      'tried, whether each is enabled, and how often it acted. Changes nothing.',
    effect: 'reads',
    input: {},
    run: ({ session }) => session.control.get('/fixtures'),
  },
  {
    name: 'add_rule',
    title: 'Add a rule',
    description:
      'Adds a rule to your session: which requests it matches, when, and how the mock responds ' +
      'to them. The rule is checked against the document; a mistake is located.',
    effect: 'adds',
    input: {
      rule: {
        type: 'object',
        description: 'A rule as in a fixture file.',
        properties: {
          name: NAME,
          match: {
            type: 'object',
            description: 'operationId, method, path, headers, query, body.',
          },
          times: { description: 'How often it acts.' },
          answer: {
            type: 'object',
            description:
              'fail: a status; or status, example, body, headers; fault; fixedDelayMilliseconds.',
          },
        },
        examples: [
          { match: { operationId: 'createPlant' }, times: 2, answer: { fail: 503 } },
          { match: { operationId: 'createPlant' }, answer: { fixedDelayMilliseconds: 2000 } },
        ],
      },
    },
    required: ['rule'],
    run: ({ session }, { rule }) => session.control.post('/fixtures', { rules: [rule] }),
  },
  {
    name: 'switch_rule',
    title: 'Enable or disable a rule',
    description:
      'Enables or disables a rule or a profile, such as offline or slow-api, in your session.',
    effect: 'sets',
    input: { name: NAME, enabled: { type: 'boolean' } },
    required: ['name', 'enabled'],
    run: ({ session }, { name, enabled }) =>
      session.fixtures.switch(String(name), enabled === true),
  },
  {
    name: 'remove_rule',
    title: 'Remove a rule',
    description: 'Removes a rule from your session; a rule of a file stays in other sessions.',
    effect: 'replaces',
    input: { name: NAME },
    required: ['name'],
    run: ({ session }, { name }) => session.control.delete(toPath('fixtures', String(name))),
  },
];
