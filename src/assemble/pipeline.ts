import { Problem, type Refusal, ReturnedRefusal } from '../base/problem.ts';
import { once } from '../base/remember.ts';
import { createCallBack } from '../callbacks/callbacks.ts';
import { createDeliver } from '../callbacks/deliver.ts';
import { createSendByHand, type SendByHand } from '../callbacks/send-by-hand.ts';
import type { Sender } from '../callbacks/sender.ts';
import { createShowChanged } from '../callbacks/show-changed.ts';
import { DiagnosticError } from '../document/diagnostic.ts';
import { createInfoOnce, type Log } from '../events/log.ts';
import { createPrismGenerator } from '../generate/prism.ts';
import type { Exchange } from '../journal/exchange.ts';
import { redactProblem } from '../journal/redact/redact-problem.ts';
import { Redaction } from '../journal/redact/redaction.ts';
import { showTargetOf } from '../journal/redact/show-fields.ts';
import { CoverageRecorder } from '../report/coverage/recorder.ts';
import { skipAuthentication } from '../request/authenticate.ts';
import { LazyRequestView } from '../request/create-view.ts';
import { decode } from '../request/decode.ts';
import { ReadyRequests } from '../request/ready-request.ts';
import { findRoute, route } from '../request/route.ts';
import { validate } from '../request/validate.ts';
import type { RequestView } from '../request/view.ts';
import { createForesee, type Foresee } from '../resources/foresee.ts';
import { createListFacts } from '../resources/list/list-facts.ts';
import type { Resources } from '../resources/meaning.ts';
import type { World } from '../resources/seed/world.ts';
import { createErrorBodies } from '../respond/error-body.ts';
import { createDraw } from '../respond/generated.ts';
import { createReasons } from '../respond/nothing-found.ts';
import type { Pipeline } from '../respond/pipeline.ts';
import { createRefuse } from '../respond/refuse.ts';
import { orderSources } from '../respond/sources.ts';
import { createShow, type ShowSingleton, type ShowStored } from '../respond/state/show-stored.ts';
import { createToStream } from '../respond/stream/to-stream.ts';
import type { UsedItems } from '../session/used-items.ts';
import type { Settings } from '../settings/settings.ts';
import type { StoreBeginning } from '../state/store.ts';
import type { Loaded } from './load.ts';

/** All that is made of one reading of the documents and the fixtures. */
export type AssembledPipeline = Pipeline & {
  readonly resources: Resources;
  /** The resources of a new session. */
  readonly beginning: StoreBeginning;
  readonly sendByHand: SendByHand;
  readonly showStored: ShowStored;
  readonly showSingleton: ShowSingleton;
  readonly coverage: CoverageRecorder;
  readonly foresee: Foresee;
  /** The resources before the first write; undefined where reads show none. */
  readonly world: World | undefined;
};

/** The parts that a reload keeps. */
export interface Lasting {
  readonly settings: Settings;
  readonly log: Log;
  readonly sender: Sender;
  /** Receives every exchange, in addition to the journal of its session. */
  readonly listen: (exchange: Exchange) => void;
  /** Receives every request that the mock has sent. */
  readonly publish: (exchange: Exchange) => void;
  /** What all requests have used of the documents. */
  readonly used: UsedItems;
  /** Aborted when all is closed. */
  readonly closed: AbortSignal;
}

/** Works out all that a request meets on its way. */
export function assemblePipeline(
  { contract, generators, fixtures, resources, beginning, world }: Loaded,
  lasting: Lasting,
): AssembledPipeline {
  const { settings, log, sender, publish, closed } = lasting;
  const answering = generators.response;
  const errorBodies = createErrorBodies({ contract, generator: answering });
  const generateByPrism = createPrismGenerator(contract);
  const reasons = createReasons(contract.document);
  const draw = createDraw({ generator: answering, generateByPrism, reasons });
  const hosts = settings.callbackHost;
  const showsState = settings.mode === 'stateful' && !settings.dynamic;
  const hasExamples = !settings.dynamic && !settings.ignoreExamples;
  const shown = { contract, resources, generator: answering };
  const listFactsOf = createListFacts(contract.schemas.nodes);
  const { showStored, showSingleton } = createShow({ ...shown, hasExamples });
  const redaction = new Redaction(contract, settings.journalSecrets);
  const infoOnce = createInfoOnce(log);
  const showChanged = createShowChanged({ ...shown, showStored });
  const limits = { maximumBodyBytes: settings.bodyLimit, brotli: settings.brotli };
  const deliver = createDeliver({ draw, sender, log, redaction, publish, limits, closed });
  const meanings = settings.mode === 'stateful' ? resources : undefined;
  const coverage = new CoverageRecorder(contract, meanings, lasting.used);
  return Object.freeze({
    contract,
    fixtures,
    resources,
    beginning,
    redaction,
    sources: orderSources(settings, {
      ...shown,
      listFactsOf,
      errorBodies,
      infoOnce,
      draw,
      reasons,
      world,
    }),
    toStream: createToStream({ contract, generator: answering, hasExamples }),
    world: showsState && settings.emptyState === 'world' ? world : undefined,
    showStored,
    showSingleton: showsState ? showSingleton : () => undefined,
    errorBodies,
    infoOnce,
    refuse: createRefuse(contract, errorBodies, settings.undeclared, settings.errors),
    listen: lasting.listen,
    coverage,
    foresee:
      settings.mode === 'stateful'
        ? createForesee(contract, resources, listFactsOf)
        : () => undefined,
    cover: settings.coverage ? coverage.record : () => {},
    log,
    callBack: createCallBack({ contract, sender, deliver, showChanged, log, hosts }),
    sendByHand: createSendByHand(contract, deliver),
    tokens: new Set(settings.token),
    strictCredentials: settings.strictCredentials,
    validate: settings.validate,
    ready: once(() => new ReadyRequests(contract, settings.token, generators.request)),
    ...limits,
    closed,
  });
}

/** Returns the problem that the current pipeline finds in the request of an exchange, redacted. */
export function refuseAgain(exchange: Exchange, pipeline: Pipeline): Refusal | undefined {
  const problem = findProblem(exchange, pipeline);
  return problem && redactProblem(problem, viewExchange(exchange, pipeline), pipeline.redaction);
}

function findProblem({ request }: Exchange, pipeline: Pipeline): Refusal | undefined {
  try {
    const routed = skipAuthentication(route(pipeline.contract, request));
    const valid = validate(decode(routed, pipeline));
    return valid instanceof ReturnedRefusal ? valid : undefined;
  } catch (error) {
    if (error instanceof Problem) return error;
    if (error instanceof DiagnosticError) return undefined;
    throw error;
  }
}

/** Returns the request target of an exchange without its secrets, for the log. */
export function showTarget(exchange: Exchange, pipeline: Pipeline): string {
  const { contract, redaction } = pipeline;
  return showTargetOf(exchange, contract, redaction, () => viewExchange(exchange, pipeline));
}

export function viewExchange(
  { request, session: id, at, callback, operationId = '' }: Exchange,
  pipeline: Pipeline,
): RequestView {
  const session = { id, clock: { now: () => at } };
  if (callback !== undefined) {
    const caller = pipeline.contract.operation(operationId);
    return new LazyRequestView(request, session, pipeline, caller);
  }
  try {
    const routed = findRoute(pipeline.contract, request);
    return new LazyRequestView(routed ?? request, session, pipeline);
  } catch (error) {
    if (!(error instanceof Problem || error instanceof DiagnosticError)) throw error;
    return new LazyRequestView(request, session, pipeline);
  }
}
