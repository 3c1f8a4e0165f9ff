/**
 * A document whose resources refer to each other: gardens have beds of their own, plants are of a
 * garden, and gardens have a favourite plant.
 */
export const GARDEN = `
openapi: 3.1.0
info: { title: Garden, version: "1" }
paths:
  /gardens:
    get:
      responses:
        "200": { description: All, content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Garden" } } } } }
    post:
      requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/Garden" } } } }
      responses:
        "201": { description: Made, content: { application/json: { schema: { $ref: "#/components/schemas/Garden" } } } }
  /gardens/{gardenId}:
    get:
      parameters: [{ name: gardenId, in: path, required: true, schema: { type: integer } }]
      responses:
        "200": { description: One, content: { application/json: { schema: { $ref: "#/components/schemas/Garden" } } } }
        "404": { description: None }
  /gardens/{gardenId}/beds:
    parameters: [{ name: gardenId, in: path, required: true, schema: { type: integer } }]
    get:
      responses:
        "200": { description: All, content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Bed" } } } } }
    post:
      requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/Bed" } } } }
      responses:
        "201": { description: Made, content: { application/json: { schema: { $ref: "#/components/schemas/Bed" } } } }
  /plants:
    get:
      responses:
        "200": { description: All, content: { application/json: { schema: { type: array, items: { $ref: "#/components/schemas/Plant" } }, example: [{ id: 901, name: Fern, gardenId: 1 }] } } }
    post:
      requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/Plant" } } } }
      responses:
        "201": { description: Made, content: { application/json: { schema: { $ref: "#/components/schemas/Plant" } } } }
  /plants/{plantId}:
    parameters: [{ name: plantId, in: path, required: true, schema: { type: integer } }]
    get:
      responses:
        "200": { description: One, content: { application/json: { schema: { $ref: "#/components/schemas/Plant" } } } }
        "404": { description: None }
  /me:
    get:
      responses:
        "200": { description: Me, content: { application/json: { schema: { $ref: "#/components/schemas/Me" } } } }
    put:
      requestBody: { required: true, content: { application/json: { schema: { $ref: "#/components/schemas/Me" } } } }
      responses:
        "200": { description: Me, content: { application/json: { schema: { $ref: "#/components/schemas/Me" } } } }
components:
  schemas:
    Garden:
      type: object
      required: [id, name]
      properties:
        id: { type: integer, format: int64, readOnly: true }
        name: { type: string }
        favouritePlantId: { type: integer }
        plantIds: { type: array, items: { type: integer }, uniqueItems: true }
    Bed:
      type: object
      required: [id, size]
      properties:
        id: { type: string, format: uuid, readOnly: true }
        size: { type: number, minimum: 1, maximum: 9 }
        plant: { type: object, required: [id, name], properties: { id: { type: integer }, name: { type: string } } }
    Plant:
      type: object
      required: [name]
      properties:
        id: { type: integer, format: int64, readOnly: true }
        name: { type: string }
        gardenId: { type: integer }
        neighbourIds: { type: array, items: { type: integer } }
        parentId: { type: [integer, "null"] }
        price: { type: number }
    Me:
      type: object
      required: [name]
      properties: { name: { type: string }, gardenId: { type: integer } }
`;
