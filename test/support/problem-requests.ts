/** A request that the plant store refuses with a problem. */
export interface ProblemRequest {
  readonly method?: string;
  readonly path?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

const admin = (path: string, body?: string, method = body === undefined ? 'GET' : 'POST') => ({
  path: `/__admin${path}`,
  method,
  ...(body !== undefined && { body }),
});

/** The requests whose responses docs/reference/problems.md shows. By default, they create a plant. */
export const problemRequests: Readonly<Record<string, ProblemRequest>> = {
  PATH_NOT_FOUND: { path: '/pots' },
  METHOD_NOT_ALLOWED: { method: 'DELETE' },
  UNAUTHORIZED: { fields: { authorization: '' } },
  UNSUPPORTED_MEDIA_TYPE: { fields: { 'content-type': 'text/plain' } },
  BODY_MISSING: { body: '' },
  BODY_NOT_DECODABLE: { fields: { 'content-encoding': 'gzip' } },
  INVALID_UTF8: { body: new Uint8Array([0x22, 0xff, 0x22]) },
  MALFORMED_JSON: { body: '{"id": 1,"name": "Fern", }' },
  DUPLICATE_KEY: { body: '{"id": 1, "id": 2}' },
  INVALID_REQUEST: { body: '{"id": "12", "tag": 7}' },
  NOT_ACCEPTABLE: { fields: { accept: 'text/html' } },
  UNKNOWN_STATUS: { fields: { prefer: 'code=404' } },
  UNKNOWN_EXAMPLE: { fields: { prefer: 'example=rose' } },
  UNKNOWN_FIXTURE: { fields: { 'mock-fixture': 'rose' } },
  INVALID_SESSION: { fields: { 'mock-session': 'a b' } },
  INVALID_REPLAY: { fields: { 'mock-replay': 'yes please' } },
  UNKNOWN_CONTROL_ROUTE: admin('/pots'),
  UNKNOWN_DOCUMENT: admin('/openapi.json?document=2'),
  UNKNOWN_OPERATION: admin('/operations/createPots'),
  UNKNOWN_COLLECTION: admin('/state/pots'),
  UNKNOWN_RESOURCE: admin('/state/plants/7'),
  UNKNOWN_SESSION: admin('/sessions/login'),
  UNKNOWN_SNAPSHOT: admin('/snapshots/before'),
  UNKNOWN_EXCHANGE: admin('/journal/700'),
  UNKNOWN_SCENARIO: admin('/scenarios/order/state', '{"state": "paid"}', 'PUT'),
  UNKNOWN_STUB_MAPPING: admin('/mappings/0c1f4d7e-2f6a-4d53-a1ce-b7e7ce6a3d4e'),
  UNKNOWN_CALLBACK: admin('/callbacks/shipped', '{"url": "http://localhost:8080/hooks"}'),
  INVALID_FIXTURE: admin(
    '/fixtures',
    '{"name": "busy", "match": {"operationId": "createPlant"}, "answer": {"status": 202}}',
  ),
  FIXTURE_EXISTS: admin('/fixtures', '{"name": "slow", "answer": {"fail": 503}}'),
  UNSUPPORTED_STUB_MAPPING: admin(
    '/mappings',
    '{"request": {"method": "GET", "urlPath": "/trees"}, "response": {"status": 200}}',
  ),
  NOT_SUPPORTED: admin('/recordings/start', '{}'),
  FROM_CALLBACK: { ...admin('/state'), fields: { 'mock-callback': 'true' } },
  FOREIGN_ORIGIN: { ...admin('/state'), fields: { origin: 'https://evil.example' } },
};
