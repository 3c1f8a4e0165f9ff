import type { MockSession } from '../client/session.ts';

/** An agent: a client of the Model Context Protocol, with a session of its own. */
export interface Agent {
  readonly session: MockSession;
  /** The base URL of the session; undefined where the mock does not listen. */
  readonly url: string | undefined;
}

/** The arguments of a tool, which have been validated against its `input`. */
export type ToolInput = Readonly<Record<string, unknown>>;

export interface AgentTool {
  readonly name: string;
  readonly title: string;
  /** What the tool does, and what it changes. */
  readonly description: string;
  readonly effect: ToolEffect;
  /** The JSON Schemas of the arguments by their names. */
  readonly input: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
  /** Runs the tool and returns its result as JSON. */
  run(agent: Agent, input: ToolInput): Promise<unknown>;
}

/** The annotations of tools by what they do to the session (MCP, ToolAnnotations). */
export const toolEffects = {
  reads: { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
  /** Each call adds something. */
  adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  /** A call can be undone by another one. */
  sets: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  /** Something is lost, the first time. */
  replaces: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
  /** Something may be lost each time. */
  changes: { readOnlyHint: false, destructiveHint: true, idempotentHint: false },
} as const;

type ToolEffect = keyof typeof toolEffects;

export const text = (description: string) => ({ type: 'string', description });
export const count = (description: string, minimum = 0) => ({
  type: 'integer',
  minimum,
  description,
});
