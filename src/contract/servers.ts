import { toPointer } from '../base/json/pointer.ts';
import { isJsonObject, type JsonObject } from '../base/json/value.ts';
import type { OpenAPIDocument } from '../document/document.ts';
import type { Place } from '../document/place.ts';

/**
 * Returns the paths of Server Objects (OAS 3.1 §4.8.5) without their last slash, one for each value
 * of a variable.
 *
 * @param owner pointer of the object that has `servers`
 */
export function readBasePaths(document: OpenAPIDocument, owner: Place): readonly string[] {
  const servers = document.at(`${owner}/servers`);
  if (!Array.isArray(servers)) return [];
  const paths = servers.flatMap((_, index) => {
    const place = `${owner}/servers${toPointer([index])}`;
    const server = document.at(place);
    return isJsonObject(server) ? pathsOf(server) : [];
  });
  return [...new Set(paths)].filter((path) => path !== '');
}

function pathsOf(server: JsonObject): readonly string[] {
  const { url, variables } = server;
  if (typeof url !== 'string') return [];
  const values = isJsonObject(variables) ? variables : {};
  return expand(url, values)
    .map((expanded) => expanded.replace(/^(?:[^/?#]*:)?\/\/[^/]*/, '').replace(/[?#].*$/, ''))
    .map((path) => path.replace(/\/+$/, ''))
    .filter((expanded) => expanded.startsWith('/') && !expanded.includes('{'));
}

/** Further values of variables are ignored. */
const MOST_VALUES = 50;

function expand(url: string, variables: JsonObject): readonly string[] {
  const [whole, name = ''] = /\{([^{}]*)\}/.exec(url) ?? [];
  if (whole === undefined) return [url];
  const variable = variables[name];
  const { default: usual, enum: list } = isJsonObject(variable) ? variable : {};
  const values = new Set([usual ?? '', ...(Array.isArray(list) ? list : [])].filter(isText));
  return [...values]
    .slice(0, MOST_VALUES)
    .flatMap((value) =>
      expand(
        url.replace(whole, () => value),
        variables,
      ),
    )
    .slice(0, MOST_VALUES);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
