/** Visible characters, spaces, tabs and bytes beyond ASCII. */
const FIELD_VALUE = /^[\t -~\u0080-\u00ff]*$/;

/** @returns whether a text can be the value of a field (RFC 9110 §5.5) */
export function isFieldValue(text: string): boolean {
  return FIELD_VALUE.test(text);
}
