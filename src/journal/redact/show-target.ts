import { decodePercent, decodeQueryPart } from '../../http/percent.ts';
import type { RequestView } from '../../request/view.ts';
import { parametersOf, REDACTED } from './redaction.ts';
import { isSecretObject } from './secret-names.ts';
import type { Showing } from './showing.ts';

/** @returns the request target as it was sent, without its secrets */
export function showTarget(target: string, view: RequestView, showing: Showing): string {
  if (showing.redaction.showsSecrets) return target;
  const end = target.indexOf('?');
  const path = end < 0 ? target : target.slice(0, end);
  const query = end < 0 ? '' : target.slice(end);
  return showPath(showUri(path, showing), view, showing) + showUri(query, showing);
}

/** @returns a URI without the secrets of its user's part and of its query */
export function showUri(uri: string, showing: Showing): string {
  if (showing.redaction.showsSecrets) return uri;
  return uri
    .replace(/^([a-z][a-z0-9+.-]*:)?\/\/([^/?#]*)@/i, (_, scheme: string = '', user: string) => {
      const password = user.slice(user.indexOf(':') + 1);
      showing.secrets.push(user, password, decodePercent(password) ?? password);
      return `${scheme}//${REDACTED}@`;
    })
    .replaceAll(
      /([?&;#])([^=?&;#]*)(=?)([^&;#]*)/g,
      (_, mark: string, name: string, sign: string, value: string) =>
        mark + showPair(name, sign, value, showing),
    );
}

function showPair(name: string, sign: string, value: string, showing: Showing): string {
  const decodedName = decodeQueryPart(name) ?? name;
  const decoded = decodeQueryPart(value) ?? value;
  // A whole query as one JSON value has no name.
  if (sign === '' && isSecretObject(decodedName)) return REDACTED;
  const { redaction, operation, secrets } = showing;
  const isHidden = redaction.hidesParameter('query', decodedName, operation);
  if (!isHidden && !isSecretObject(decoded)) return name + sign + value;
  if (isHidden) secrets.push(value, decoded);
  return `${name}${sign}${REDACTED}`;
}

function showPath(path: string, view: RequestView, { redaction, operation, secrets }: Showing) {
  const hidden = parametersOf(operation)
    .filter(({ in: location }) => location === 'path')
    .filter(({ name }) => redaction.hidesParameter('path', name, operation))
    .flatMap(({ name }) => view.texts('path', name))
    .filter((text) => text !== '');
  if (hidden.length === 0) return path;
  secrets.push(...hidden);
  const isHidden = (segment: string): boolean => {
    const decoded = decodePercent(segment) ?? segment;
    return hidden.some((text) => decoded.includes(text));
  };
  return path
    .split('/')
    .map((segment) => (isHidden(segment) ? REDACTED : segment))
    .join('/');
}
