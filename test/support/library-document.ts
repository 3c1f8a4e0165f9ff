const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };

/** A document whose reads show more than its creates take, with a resource that has no key. */
export const libraryDocument = {
  openapi: '3.1.0',
  info: { title: 'Library', version: '1' },
  paths: {
    '/books': {
      get: {
        operationId: 'listBooks',
        responses: {
          200: { description: 'All books', ...json({ type: 'array', items: ref('Book') }) },
        },
      },
      post: {
        operationId: 'createBook',
        requestBody: { required: true, ...json(ref('NewBook')) },
        responses: { 201: { description: 'The book', ...json(ref('Book')) } },
      },
    },
    '/books/{id}': {
      get: {
        operationId: 'getBook',
        parameters: [id],
        responses: {
          200: { description: 'The book', ...json(ref('Book')) },
          404: { description: 'No such book' },
        },
      },
    },
    '/books/{id}/lend': {
      post: {
        operationId: 'lendBook',
        parameters: [id],
        responses: {
          200: { description: 'The book', ...json(ref('Book')) },
          409: { description: 'It is lent' },
        },
      },
    },
    '/me': {
      get: {
        operationId: 'getMe',
        responses: { 200: { description: 'The reader', ...json(ref('Reader')) } },
      },
      patch: {
        operationId: 'updateMe',
        requestBody: { required: true, ...json(ref('ReaderUpdate')) },
        responses: { 200: { description: 'The reader', ...json(ref('Reader')) } },
      },
    },
  },
  components: {
    schemas: {
      NewBook: {
        type: 'object',
        required: ['title'],
        properties: { title: { type: 'string' }, shelf: { type: 'string' } },
      },
      Book: {
        type: 'object',
        required: ['id', 'title', 'status', 'createdAt'],
        properties: {
          id: { type: 'integer' },
          title: { type: 'string' },
          status: { enum: ['free', 'lent'] },
          createdAt: { type: 'string', format: 'date-time' },
        },
      },
      Reader: {
        type: 'object',
        required: ['email', 'name'],
        properties: { email: { type: 'string', format: 'email' }, name: { type: 'string' } },
      },
      ReaderUpdate: { type: 'object', properties: { name: { type: 'string' } } },
    },
  },
};
