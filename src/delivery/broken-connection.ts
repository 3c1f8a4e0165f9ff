import type { Ending } from './transmission.ts';

/**
 * What the platform's fetch throws, or its body, where a connection breaks: undici's errors, told
 * by the code of their cause.
 *
 * @param when before or after the head has come
 */
export function describeBreak(ending: Ending, when: 'before the head' | 'after the head'): Error {
  const message = when === 'before the head' ? 'fetch failed' : 'terminated';
  return new TypeError(message, { cause: causeOf(ending, when) });
}

function causeOf(ending: Ending, when: 'before the head' | 'after the head'): Error {
  switch (ending.kind) {
    case 'reset':
      return named('Error', 'ECONNRESET', 'read ECONNRESET');
    case 'noise':
      return when === 'before the head'
        ? named(
            'HTTPParserError',
            'HPE_INVALID_CONSTANT',
            'Response does not match the HTTP/1.1 protocol (Expected HTTP/)',
          )
        : named(
            'HTTPParserError',
            'HPE_INVALID_CHUNK_SIZE',
            'Response does not match the HTTP/1.1 protocol (Invalid character in chunk size)',
          );
    default:
      return named('SocketError', 'UND_ERR_SOCKET', 'other side closed');
  }
}

function named(name: string, code: string, message: string): Error {
  return Object.assign(new Error(message), { name, code });
}
