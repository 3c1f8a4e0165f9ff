import { toPath, toQuery } from '../client/control-channel.ts';
import { sessionParts } from '../session/session.ts';
import { type AgentTool, count, text } from './tool.ts';

const STATE = {
  type: 'object',
  additionalProperties: { type: ['array', 'object'] },
  description:
    'The resources by collection, such as {"plants": [{"id": 1, "name": "Fern"}]}. Each is ' +
    'valid for a create, or as a read shows it.',
};

/** Reads and sets what the mock has stored. */
export const stateTools: readonly AgentTool[] = [
  {
    name: 'read_state',
    title: 'Read the stored resources',
    description:
      'Returns the resources that your session has stored: of all collections, of one, or one ' +
      'resource. Changes nothing.',
    effect: 'reads',
    input: {
      collection: text('The name of a collection, such as plants.'),
      key: text('The key of a resource in the collection.'),
      limit: count('The maximum number of resources of a collection; 100 by default.', 1),
    },
    run({ session }, { collection, key, limit = 100 }) {
      const parts = [collection, key].filter((part) => part !== undefined).map(String);
      const isList = parts.length === 1;
      const query = toQuery({ shown: true, limit: isList ? limit : undefined });
      return session.control.get(toPath('state', ...parts) + query);
    },
  },
  {
    name: 'seed_state',
    title: 'Replace the stored resources',
    description:
      'Replaces all stored resources of your session by these, as if it had started with them. ' +
      'What was stored is lost. If one resource is invalid, nothing changes.',
    effect: 'replaces',
    input: { state: STATE },
    required: ['state'],
    run: ({ session }, { state }) => session.control.put('/state?shown=true', state),
  },
  {
    name: 'add_resources',
    title: 'Add resources',
    description:
      'Adds resources to your session, and replaces those with the same keys. If one resource ' +
      'is invalid, nothing changes.',
    effect: 'changes',
    input: { state: STATE },
    required: ['state'],
    run: ({ session }, { state }) => session.control.post('/state', state),
  },
  {
    name: 'reset_session',
    title: 'Reset your session',
    description:
      'Resets your session, or parts of it: stored resources, rules, scenarios, journal, clock, ' +
      'random numbers. What it had is lost. Other sessions are not affected.',
    effect: 'replaces',
    input: {
      only: {
        type: 'array',
        minItems: 1,
        items: { enum: sessionParts },
        description: 'The parts; all by default.',
      },
    },
    run: ({ session }, { only }) => session.control.post('/reset', { only }),
  },
];
