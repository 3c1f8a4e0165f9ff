import { toQuery } from '../client/control-channel.ts';
import { type AgentTool, count } from './tool.ts';

const MATCH = {
  type: 'object',
  description:
    'Which requests, such as {"operationId": "createPlant", "body": {"name": "Fern"}}; all by default.',
};
const STATUS = {
  type: 'integer',
  minimum: 100,
  maximum: 599,
  description: 'Only requests whose response has this status.',
};

/** Asks what the mock has received. */
export const journalTools: readonly AgentTool[] = [
  {
    name: 'read_journal',
    title: 'Read the journal',
    description:
      'Returns the recorded requests of your session with their responses, the newest first: ' +
      'those of send_request and those of code under test. Changes nothing.',
    effect: 'reads',
    input: {
      match: MATCH,
      status: STATUS,
      limit: count('The maximum number of requests; 20 by default.', 1),
    },
    run: ({ session }, { match = {}, status, limit = 20 }) =>
      session.control.post('/journal/find', { match, status, limit }),
  },
  {
    name: 'verify_requests',
    title: 'Verify requests',
    description:
      'Verifies how many matching requests came, or in which order: at least one by default. ' +
      'Returns verified: false with the nearest requests if they did not come. Changes nothing.',
    effect: 'reads',
    input: {
      match: MATCH,
      status: STATUS,
      exactly: count('The exact number.'),
      atLeast: count('The least number.'),
      atMost: count('The greatest number.'),
      inOrder: {
        type: 'array',
        minItems: 1,
        items: { type: 'object' },
        description: 'In place of all others: matches of requests in this order.',
      },
    },
    run: ({ session }, expectation) => session.control.post('/journal/verify', expectation),
  },
  {
    name: 'read_coverage',
    title: 'Read the coverage',
    description:
      'Returns which operations, responses and parameters of the document the requests of your ' +
      'session have used, and which they have not. Changes nothing.',
    effect: 'reads',
    input: {},
    run: ({ session }) => session.control.get('/coverage'),
  },
  {
    name: 'judge_client',
    title: 'Judge how the client handles failures',
    description:
      'Judges, from the requests of your session, how the code under test behaves when requests ' +
      'fail: whether it retries what it may, waits as it is asked, and gives up in time. Each ' +
      'rule is kept, broken or undecided, with the requests that say so. Changes nothing.',
    effect: 'reads',
    input: {
      rules: {
        type: 'array',
        items: { type: 'string' },
        description: 'Only these rules; all by default.',
      },
    },
    run: ({ session }, { rules }) => session.control.get(`/verdict${toQuery({ rules })}`),
  },
];
