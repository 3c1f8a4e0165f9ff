/**
 * True for a URL whose host is in the list: whoever calls the mock says where a callback goes, and
 * must not reach what only the mock's machine can (CWE-918).
 *
 * @param hosts `localhost`, `[::1]`, `receiver:8080` for one port only, or `*` for all
 */
export function isAllowedHost(url: URL, hosts: readonly string[]): boolean {
  return hosts.some((host) => {
    const allowed = host.toLowerCase();
    return allowed === '*' || allowed === url.hostname || allowed === withPort(url);
  });
}

function withPort({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
