import { type Awaitable, after, afterWith, attempt } from './base/awaitable.ts';
import { type Problem, ReturnedRefusal } from './base/problem.ts';
import type { ClientWatch } from './delivery/client-watch.ts';
import { authenticate } from './request/authenticate.ts';
import { decode } from './request/decode.ts';
import { route } from './request/route.ts';
import { validate } from './request/validate.ts';
import { respondToOutage } from './respond/by-rule.ts';
import { conform, type Delivered, deliver, record, refuse } from './respond/deliver.ts';
import { PendingExchange, type Pipeline } from './respond/pipeline.ts';
import { respond } from './respond/respond.ts';
import { tolerate } from './respond/tolerate.ts';
import { applyReplay } from './session/call.ts';
import type { SessionRequest } from './session/session-id.ts';
import { openSession, type Sessions } from './session/sessions.ts';

/**
 * Handles a request, one line for each stage. A stage that refuses throws a `Problem`, or returns
 * it where that is frequent; every error becomes a response, so `handle` never throws. It returns a
 * promise only where a stage has to wait.
 *
 * @param refusal why the server refuses the request before any stage, such as a repeated field
 * @param client notices when the client leaves
 */
export function handle(
  pipeline: Pipeline,
  sessions: Sessions,
  named: SessionRequest,
  refusal?: Problem,
  client?: ClientWatch,
): Awaitable<Delivered> {
  const { request } = named;
  return openSession(sessions, named, refusal, (session, problem) => {
    const exchange = new PendingExchange(pipeline, request, session, client);
    const { call, deviations } = exchange;
    const found = attempt(
      () => {
        if (problem !== undefined) throw problem;
        const routed = route(pipeline.contract, request);
        exchange.routed = routed;
        if (routed.operation.fault !== undefined) throw routed.operation.fault;
        const { view } = exchange;
        const { sources, toStream } = pipeline;
        const asked = { request: routed, call, view, failing: pipeline };
        const outage = afterWith(applyReplay(call, routed), asked, respondToOutage);
        return after(outage, (response) => {
          if (response !== undefined) return response;
          const authenticated = authenticate(routed, pipeline, deviations);
          const decoded = decode(authenticated, pipeline, deviations);
          const valid = validate(decoded);
          const accepted =
            valid instanceof ReturnedRefusal ? tolerate(exchange, decoded, valid) : valid;
          if (accepted instanceof ReturnedRefusal) return refuse(exchange, accepted);
          exchange.valid = accepted;
          const seen = view.addValues(accepted);
          return respond({ request: accepted, sources, toStream, call, view: seen });
        });
      },
      (error) => refuse(exchange, error),
    );
    const conforming = afterWith(found, exchange, conform);
    const delivered = afterWith(conforming, exchange, deliver);
    return afterWith(delivered, exchange, record);
  });
}
