import type { Description, Located } from './description.ts';
import { isMembers, type JsonMembers, member, setMember } from './json.ts';
import type { Operation } from './operation.ts';

/** Reads `in: body` and `in: formData` of OpenAPI 2.0 as what OAS 3 calls a Request Body. */
export function readFormBody(
  description: Description,
  operation: Located,
  parameters: readonly Located[],
): Operation['body'] {
  const consumes =
    member(operation.value, 'consumes') ?? member(description.root.value, 'consumes');
  const types = Array.isArray(consumes) ? consumes.map(String) : [];
  const body = parameters.find(({ value }) => member(value, 'in') === 'body');
  if (body !== undefined) {
    const schema = { file: body.file, pointer: `${body.pointer}/schema` };
    const contents = (types.length > 0 ? types : ['application/json']).map((mediaType) => {
      return { mediaType, schema, itemSchema: undefined, owner: body };
    });
    return { required: member(body.value, 'required') === true, contents };
  }
  const fields = parameters.filter(({ value }) => member(value, 'in') === 'formData');
  if (fields.length === 0) return undefined;
  const owner = makeForm(description, fields);
  const schema = { file: owner.file, pointer: '/schema' };
  const hasFile = fields.some(({ value }) => member(value, 'type') === 'file');
  const forms = types.filter((type) => /form/.test(type) && !(hasFile && /urlencoded/.test(type)));
  const fallback = hasFile ? 'multipart/form-data' : 'application/x-www-form-urlencoded';
  const contents = (forms.length > 0 ? forms : [fallback]).map((mediaType) => {
    return { mediaType, schema, itemSchema: undefined, owner };
  });
  const required = fields.some(({ value }) => member(value, 'required') === true);
  return { required, contents };
}

const STYLES: Readonly<Record<string, string>> = { ssv: 'spaceDelimited', pipes: 'pipeDelimited' };

function makeForm(description: Description, fields: readonly Located[]): Located<JsonMembers> {
  const properties: JsonMembers = {};
  const encoding: JsonMembers = {};
  const required: string[] = [];
  for (const { file, pointer, value } of fields) {
    const { name, required: isRequired, collectionFormat } = isMembers(value) ? value : {};
    setMember(properties, String(name), { $ref: `${file}#${encodeURI(pointer)}` });
    const style = STYLES[String(collectionFormat)] ?? 'form';
    setMember(encoding, String(name), { style, explode: collectionFormat === 'multi' });
    if (isRequired === true) required.push(String(name));
  }
  const schema = { type: 'object', properties, required };
  const tree = { schema, encoding };
  return { file: description.addTree(tree), pointer: '', value: tree };
}
