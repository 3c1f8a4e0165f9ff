import type { ErrorObject } from 'ajv/dist/2020.js';
import { standardKeyword } from './value-keywords.ts';

type Errors = readonly ErrorObject[];

/**
 * Returns the errors of a verbose Ajv with fewer about unions. Where several branches of `oneOf`
 * match, the errors of the others explain nothing. Where no branch allows the value of a member that
 * tells them apart, one list of the allowed values explains it.
 */
export function explainUnions(errors: Errors): Errors {
  if (!errors.some(isOfUnion)) return errors;
  const explained: ErrorObject[] = [];
  for (const error of errors) {
    if (!isOfUnion(error)) {
      explained.push(error);
      continue;
    }
    const ofBranches = takeErrorsOfBranches(explained, error);
    if (Array.isArray(error.params['passingSchemas'])) explained.push(error);
    else explained.push(...(listAllowed(ofBranches, error) ?? [...ofBranches, error]));
  }
  return explained;
}

function isOfUnion({ keyword }: ErrorObject): boolean {
  return keyword === 'oneOf' || keyword === 'anyOf';
}

/** Removes the errors of the branches of a union: Ajv reports them directly before its own. */
function takeErrorsOfBranches(before: ErrorObject[], { instancePath, schemaPath }: ErrorObject) {
  const parent = schemaPath.slice(0, schemaPath.lastIndexOf('/') + 1);
  const isOfBranch = (one: ErrorObject): boolean =>
    one.instancePath.startsWith(instancePath) &&
    (one.schemaPath.startsWith(`${schemaPath}/`) || !one.schemaPath.startsWith(parent));
  const last = before.findLastIndex((one) => !isOfBranch(one));
  return before.splice(last + 1);
}

/** Returns one error for a value, or a member of it, that is listed in every branch. */
function listAllowed(errors: Errors, { schema, instancePath }: ErrorObject): Errors | undefined {
  const branches = Array.isArray(schema) ? schema.length : 0;
  const wrong = errors.filter(({ keyword }) => LISTING.has(standardKeyword(keyword)));
  const places = new Set(wrong.map((one) => one.instancePath));
  for (const place of places) {
    const listed = wrong.filter((one) => one.instancePath === place);
    const [first] = listed;
    const depth = place.slice(instancePath.length).split('/').length - 1;
    if (first === undefined || depth > 1 || listed.length < branches) continue;
    const values = listed.flatMap((one) =>
      standardKeyword(one.keyword) === 'enum' ? one.schema : [one.schema],
    );
    return [{ ...first, keyword: 'enum', schema: [...new Set(values)] }];
  }
  return undefined;
}

const LISTING: ReadonlySet<string> = new Set(['const', 'enum']);
