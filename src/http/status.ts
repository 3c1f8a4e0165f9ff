/**
 * True for a status whose answer may have content. One of 1xx is no final answer, 204 and 304 end
 * with their head, and 205 is sent without any (RFC 9110 §6.4.1, §15.3.6).
 */
export function allowsContent(status: number): boolean {
  return status >= 200 && status !== 204 && status !== 205 && status !== 304;
}

/**
 * True for a status whose answer says how long it is, also where that is nothing. One of 1xx or
 * 204 never does, and what 304 says is of another answer (RFC 9110 §8.6).
 */
export function isFramed(status: number): boolean {
  return status >= 200 && status !== 204 && status !== 304;
}
