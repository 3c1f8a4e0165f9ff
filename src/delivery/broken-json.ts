/** @returns the first half of a JSON text, as bytes; where that is JSON still, broken as well */
export function breakJson(bytes: Uint8Array): Uint8Array {
  const half = bytes.subarray(0, bytes.length / 2);
  // A half of a number is a number.
  return isJson(half) ? Buffer.concat([Buffer.from('{'), half]) : half;
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(Buffer.from(bytes).toString());
    return true;
  } catch {
    return false;
  }
}
