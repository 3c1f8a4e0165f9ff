import { type Content, findContent } from '../../contract/content.ts';
import type { Contract, Operation } from '../../contract/contract.ts';
import type { DeclaredResponse } from '../../contract/responses.ts';
import { breakingFaults } from '../../delivery/transmission.ts';
import { readContentType } from '../../media/content-type.ts';
import type { ValidRequest } from '../../request/request.ts';
import { firstOf } from '../../resources/list/list-query.ts';
import type { Meaning } from '../../resources/meaning.ts';
import type { MockResponse } from '../../respond/response.ts';
import type { UsedMarks } from '../../session/used-items.ts';
import { CoveragePart, NO_WISH, type Wish } from './item.ts';
import { markValue, type ValuePlan, ValuePlans } from './value-plan.ts';

interface ParameterPlan {
  /** Indexes of items; -1 for a required parameter. */
  readonly sent: number;
  readonly omitted: number;
  readonly values: ValuePlan | undefined;
  /** The item of a further page; -1 where the parameter does not select one. */
  readonly page: number;
  readonly first: number;
}

interface BodyPlan {
  readonly sent: number;
  readonly omitted: number;
  readonly contents: ReadonlyMap<Content, ContentPlan>;
}

interface ContentPlan {
  readonly index: number;
  readonly values: ValuePlan | undefined;
}

/** The responses of one status; the index is -1 for a status that is not declared. */
interface ResponsePlan {
  readonly index: number;
  readonly contents: readonly Content[];
}

/** The items of an operation, and what of a request and its response uses them. */
export class OperationPlan extends CoveragePart {
  readonly name: string;
  readonly operation: Operation;
  readonly #called: number;
  readonly #responses: ReadonlyMap<DeclaredResponse, number>;
  readonly #byStatus = new Map<number, ResponsePlan>();
  readonly #mediaTypes: ReadonlyMap<Content, number>;
  readonly #parameters: readonly ParameterPlan[];
  readonly #body: BodyPlan | undefined;

  constructor(contract: Contract, operation: Operation, meaning: Meaning | undefined) {
    super();
    const { root, method, path, pointer } = operation;
    this.name = `${root} ${method} ${path}`;
    this.operation = operation;
    this.#called = this.addRequest('operations', 'called', pointer, NO_WISH);
    this.#responses = planResponses(this, operation);
    this.#mediaTypes = planMediaTypes(this, operation);
    this.#parameters = planParameters(this, contract, operation, meaning);
    this.#body = planBody(this, contract, operation);
  }

  /** @param request undefined for one that was refused before its values were known */
  mark(request: ValidRequest | undefined, response: MockResponse, marks: UsedMarks): void {
    marks.add(this.#called);
    if (!isBreaking(response.fault)) this.#markResponse(response, marks);
    if (request === undefined) return;
    this.#markParameters(request, marks);
    if (this.#body !== undefined) markBody(this.#body, request.body, marks);
  }

  #markResponse({ status, mediaType }: MockResponse, marks: UsedMarks): void {
    const { index, contents } = this.#byStatus.get(status) ?? this.#plan(status);
    marks.add(index);
    if (contents.length === 0 || mediaType === undefined) return;
    // Most are sent as they are declared, and need no parsing.
    const declared = contents.find((one) => one.mediaType === mediaType);
    const content = declared ?? findContent(contents, readContentType(mediaType));
    if (content !== undefined) marks.add(this.#mediaTypes.get(content) ?? -1);
  }

  #plan(status: number): ResponsePlan {
    const declared = this.operation.responses.find(status);
    const index = (declared && this.#responses.get(declared)) ?? -1;
    const plan = { index, contents: declared?.contents ?? [] };
    this.#byStatus.set(status, plan);
    return plan;
  }

  #markParameters({ parameters }: ValidRequest, marks: UsedMarks): void {
    for (let index = 0; index < this.#parameters.length; index++) {
      const plan = this.#parameters[index];
      const value = parameters[index]?.value;
      if (plan === undefined) continue;
      marks.add(value === undefined ? plan.omitted : plan.sent);
      if (value === undefined) continue;
      if (plan.values !== undefined) markValue(plan.values, value, marks);
      // A cursor is of a further page, whatever it is.
      if (plan.page >= 0 && !(Number(value) <= plan.first)) marks.add(plan.page);
    }
  }
}

function markBody(plan: BodyPlan, body: ValidRequest['body'], marks: UsedMarks): void {
  marks.add(body === undefined ? plan.omitted : plan.sent);
  if (body === undefined) return;
  const content = plan.contents.get(body.content);
  if (content === undefined) return;
  marks.add(content.index);
  if (content.values !== undefined && body.isValidated) {
    markValue(content.values, body.value, marks);
  }
}

/** True for a fault that leaves no status to meet. */
function isBreaking(fault: MockResponse['fault']): boolean {
  return fault !== undefined && breakingFaults.some((one) => one === fault);
}

function planResponses(part: CoveragePart, operation: Operation) {
  const { all } = operation.responses;
  // Without another success, `default` is one (OAS 3.1 §4.8.16).
  const isSuccessElsewhere = all.some(({ key }) => /^[23]/.test(key));
  return new Map(
    all.map((response) => {
      const { key } = response;
      const isError = /^[45]/.test(key) || (key === 'default' && isSuccessElsewhere);
      const status = statusOf(operation, response, isError);
      // Where the operation names it, not where a component describes it.
      const place = `${operation.pointer}/responses/${key}`;
      const group = isError ? 'errors' : 'responses';
      const use = { kind: isError ? 'fail' : 'answer', status } as const;
      return [response, part.add({ group, name: key, place, use })];
    }),
  );
}

const USUAL_ERRORS = [500, 503, 502, 504, 400, 429, 404, 409, 422, 403, 418, 599, 499];

/** Returns a status that this response is for. */
function statusOf({ responses }: Operation, response: DeclaredResponse, isError: boolean): number {
  const exact = Number(response.key);
  if (!Number.isNaN(exact)) return exact;
  const [first = '2'] = response.key;
  const start = response.key === 'default' ? 200 : Number(first) * 100;
  const isFor = (status: number) => responses.find(status) === response;
  const usual = isError ? USUAL_ERRORS.find(isFor) : undefined;
  const range = () => Array.from({ length: 100 }, (_, index) => start + index);
  return usual ?? range().find(isFor) ?? start;
}

function planMediaTypes(
  part: CoveragePart,
  { responses }: Operation,
): ReadonlyMap<Content, number> {
  const indexes = new Map<Content, number>();
  for (const { key, contents } of responses.all) {
    // A client negotiates the form of what it wants, not that of an error.
    if (contents.length < 2 || /^[45]/.test(key)) continue;
    for (const content of contents) {
      const { mediaType, pointer, sentAs: accept } = content;
      const name = `response ${key} ${mediaType}`;
      indexes.set(content, part.addRequest('mediaTypes', name, pointer, { accept }));
    }
  }
  return indexes;
}

function planParameters(
  part: CoveragePart,
  contract: Contract,
  operation: Operation,
  meaning: Meaning | undefined,
): readonly ParameterPlan[] {
  const roles = meaning !== undefined && 'query' in meaning ? meaning.query.parameters : [];
  return operation.parameters.map((parameter) => {
    const { name, in: location, required, pointer, schema } = parameter;
    const label = `${location} ${name}`;
    const add = (what: string, request: Wish): number =>
      required ? -1 : part.addRequest('parameters', `${label} ${what}`, pointer, request);
    const sent = add('sent', { parameter });
    const omitted = add('omitted', NO_WISH);
    const values = new ValuePlans(contract, part).of(contract.schemas.nodes.at(schema?.pointer), {
      name: label,
      path: [],
      wish: (path, found) => ({ parameter, path, ...found }),
    });
    const role = location === 'query' ? roles.find((one) => one.name === name)?.role : undefined;
    const first = role && firstOf(role);
    if (role === undefined || first === undefined) {
      return { sent, omitted, values, page: -1, first: 0 };
    }
    const value = role.kind === 'cursor' ? undefined : first + 1;
    const request = { parameter, path: [], ...(value !== undefined && { value }) };
    const page = part.addRequest('pages', 'a further page', pointer, request);
    return { sent, omitted, values, page, first };
  });
}

function planBody(part: CoveragePart, contract: Contract, { body, pointer }: Operation) {
  if (body === undefined) return undefined;
  const place = `${pointer}/requestBody`;
  const [usual] = body.contents;
  const add = (name: string, request: Wish): number =>
    body.required ? -1 : part.addRequest('members', name, place, request);
  const sent = add('body sent', usual === undefined ? NO_WISH : { content: usual });
  const omitted = add('body omitted', NO_WISH);
  const contents = new Map(
    body.contents.map((content): [Content, ContentPlan] => {
      const name = `request ${content.mediaType}`;
      const isChoice = body.contents.length > 1;
      const index = isChoice
        ? part.addRequest('mediaTypes', name, content.pointer, { content })
        : -1;
      const node = contract.schemas.nodes.at(content.schema?.pointer);
      const values = new ValuePlans(contract, part).of(node, {
        name: 'body',
        path: [],
        wish: (path, found) => ({ content, path, ...found }),
      });
      return [content, { index, values }];
    }),
  );
  return { sent, omitted, contents };
}
