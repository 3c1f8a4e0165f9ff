/** A document that declares what the rules of a verdict read: keys, ETags, links and errors. */
export const orders = `
openapi: 3.1.0
info: { title: Orders, version: '1' }
security: [{ token: [] }, {}]
paths:
  /orders:
    get:
      operationId: listOrders
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 50 } }
        - { name: page, in: query, schema: { type: integer, minimum: 1 } }
      responses:
        '200':
          description: A page of orders
          headers:
            Link: { schema: { type: string } }
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Order' } }
        default: { $ref: '#/components/responses/Error' }
    post:
      operationId: createOrder
      parameters:
        - { name: Idempotency-Key, in: header, schema: { type: string } }
      requestBody:
        required: true
        content:
          application/json:
            schema: { $ref: '#/components/schemas/NewOrder' }
      responses:
        '201':
          description: The order
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Order' }
        '400': { $ref: '#/components/responses/Error' }
        '429': { $ref: '#/components/responses/Error' }
        '500': { $ref: '#/components/responses/Error' }
        '503': { $ref: '#/components/responses/Error' }
        default: { $ref: '#/components/responses/Error' }
  /orders/{id}:
    parameters:
      - { name: id, in: path, required: true, schema: { type: integer } }
    get:
      operationId: readOrder
      responses:
        '200':
          description: The order
          headers:
            ETag: { schema: { type: string } }
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Order' }
        '304': { description: Unchanged }
        '400': { $ref: '#/components/responses/Error' }
        '401': { $ref: '#/components/responses/Error' }
        '404': { $ref: '#/components/responses/Error' }
        '409': { $ref: '#/components/responses/Error' }
        '422': { $ref: '#/components/responses/Error' }
        '429': { $ref: '#/components/responses/Error' }
        '500': { $ref: '#/components/responses/Error' }
        '503': { $ref: '#/components/responses/Error' }
        default: { $ref: '#/components/responses/Error' }
components:
  securitySchemes:
    token: { type: http, scheme: bearer }
  responses:
    Error:
      description: What went wrong
      headers:
        Retry-After: { schema: { type: string } }
      content:
        application/json:
          schema:
            type: object
            required: [message]
            properties:
              message: { type: string }
  schemas:
    NewOrder:
      type: object
      required: [item]
      properties:
        item: { type: string }
        count: { type: integer }
        note: { type: string }
    Order:
      type: object
      required: [id, item]
      properties:
        id: { type: integer, readOnly: true }
        item: { type: string }
        count: { type: integer }
        note: { type: string }
`;
