export type { DrillFailure } from './assemble/drill.ts';
export { createMock, type ListeningMock, type Mock } from './assemble/mock.ts';
export type { MockOptions } from './assemble/mock-interface.ts';
export { type Clock, systemClock } from './base/clock.ts';
export { Decimal, type JsonObject, type JsonValue } from './base/json/value.ts';
export { Problem, type ProblemName, problems, type Violation } from './base/problem.ts';
export type { WebhookExchange } from './callbacks/deliver.ts';
export type { OutgoingRequest } from './callbacks/outgoing.ts';
export type { IncomingResponse } from './callbacks/sender.ts';
export type { AnyApi, ApiTypes, OperationTypes, ResourceTypes } from './client/api-types.ts';
export type { ClockReading, Duration } from './client/clock-control.ts';
export { type Connection, type ConnectOptions, connect, type Health } from './client/connect.ts';
export { ControlError, type ControlProblem } from './client/control-channel.ts';
export type { Fixture, RuleText } from './client/fixtures-control.ts';
export type { Exchange, RequestMatch } from './client/journal-control.ts';
export {
  type NearMiss,
  type Verification,
  VerificationError,
} from './client/journal-control.ts';
export type { OperationControl, Planned } from './client/operation-control.ts';
export type {
  Coverage,
  CoveredItem,
  CoveredOperation,
  Evidence,
  RuleVerdict,
  Verdict,
  VerdictOptions,
} from './client/reports.ts';
export type { MockSession, ResetKind, SessionMembers, ValidationLevel } from './client/session.ts';
export type { CollectionControl, SingletonControl } from './client/state-control.ts';
export {
  type Diagnostic,
  DiagnosticError,
  formatDiagnostic,
  type Position,
} from './document/diagnostic.ts';
export type { Log } from './events/log.ts';
export type { RefusalCount, Summary } from './report/summary.ts';
export type { Handler } from './serve/listener.ts';
export type { RunningServer } from './serve/server.ts';
export { UsageError } from './settings/options.ts';
