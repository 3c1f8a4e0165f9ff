export type { OutgoingRequest } from './callbacks/outgoing-request.ts';
export type { IncomingResponse } from './callbacks/sender.ts';
export type { WebhookExchange } from './callbacks/webhooks.ts';
export { type Clock, systemClock } from './clock.ts';
export {
  type Diagnostic,
  DiagnosticError,
  formatDiagnostic,
  type Position,
} from './document/diagnostic.ts';
export { Decimal, type JsonObject, type JsonValue } from './json/value.ts';
export { createMock, type Mock, type MockOptions } from './mock.ts';
export { Problem, type ProblemName, problems, type Violation } from './problem.ts';
export type { RunningServer } from './server.ts';
