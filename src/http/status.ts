/**
 * True for a status whose answer may have content. One of 1xx is no final answer, 204 and 304 end
 * with their head, and 205 is sent without any (RFC 9110 §6.4.1, §15.3.6).
 */
export function allowsContent(status: number): boolean {
  return status >= 200 && status !== 204 && status !== 205 && status !== 304;
}

/**
 * Returns whether a response of this status has a Content-Length, also where it is 0. Those of 1xx
 * and 204 never do, and the length in a 304 is that of another response (RFC 9110 §8.6).
 */
export function isFramed(status: number): boolean {
  return status >= 200 && status !== 204 && status !== 304;
}
