import { type Description, type Located, NotJudged } from './description.ts';
import { isMembers, member } from './json.ts';
import type { Credential, Operation } from './operation.ts';

/** @returns the alternatives of an operation; one of which no scheme is known is undefined */
export function readSecurity(description: Description, operation: Located): Operation['security'] {
  const list =
    member(operation.value, 'security') ?? member(description.root.value, 'security') ?? [];
  if (!Array.isArray(list)) return [];
  return list.map((requirement) => {
    const names = Object.keys(isMembers(requirement) ? requirement : {});
    const credentials = names.map((name) => readCredential(description, name));
    return credentials.some((one) => one === undefined)
      ? undefined
      : credentials.flatMap((one) => one ?? []);
  });
}

function readCredential(description: Description, name: string): Credential | undefined {
  const path =
    description.version === '2.0' ? ['securityDefinitions'] : ['components', 'securitySchemes'];
  try {
    const scheme = description.member(description.root, ...path, name);
    return scheme === undefined ? undefined : makeCredential(scheme);
  } catch (error) {
    if (error instanceof NotJudged) return undefined;
    throw error;
  }
}

const BASIC = `Basic ${Buffer.from('user:secret').toString('base64')}`;
const BEARER = 'Bearer sweep.token';

function makeCredential({ value }: Located): Credential | undefined {
  const { type, in: where, name, scheme } = isMembers(value) ? value : {};
  const authorization = { in: 'header', name: 'Authorization' } as const;
  switch (type) {
    case 'apiKey':
      if (where !== 'header' && where !== 'query' && where !== 'cookie') return undefined;
      return { in: where, name: String(name), value: 'sweep-key' };
    case 'basic':
      return { ...authorization, value: BASIC };
    case 'http': {
      const word = String(scheme).toLowerCase();
      if (word === 'basic') return { ...authorization, value: BASIC };
      if (word === 'bearer') return { ...authorization, value: BEARER };
      return { ...authorization, value: `${String(scheme)} sweep` };
    }
    case 'oauth2':
    case 'openIdConnect':
      return { ...authorization, value: BEARER };
    case 'mutualTLS':
      return { in: 'none', name: '', value: '' };
    default:
      return undefined;
  }
}
