/** A valid create of the plant store. */
export function createPlant(plant: unknown = { id: 1, name: 'Fern' }): RequestInit {
  return {
    method: 'POST',
    headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
    body: typeof plant === 'string' ? plant : JSON.stringify(plant),
  };
}

/** A small document: one GET whose only example names a version of it. */
export function documentOf(version: string, ...more: readonly string[]): string {
  return [
    'openapi: 3.1.0',
    `info: { title: Versions, version: '${version}' }`,
    'paths:',
    '  /version:',
    '    get:',
    '      operationId: readVersion',
    '      responses:',
    "        '200':",
    '          description: The version',
    '          content:',
    '            application/json:',
    `              example: { version: '${version}' }`,
    ...more,
    '',
  ].join('\n');
}
