/** A slice of a socket's buffer holds on to the whole of it: so much more is worth a copy. */
const WASTE_BYTES = 1024;

/** @returns the beginning of the bytes, such that it holds on to no more memory than its own */
export function keepBytes(bytes: Uint8Array, maximumLength: number): Uint8Array {
  const isTooLong = bytes.length > maximumLength;
  const kept = isTooLong ? bytes.subarray(0, maximumLength) : bytes;
  const isWasteful = bytes.buffer.byteLength > 2 * kept.length + WASTE_BYTES;
  return isTooLong || isWasteful ? new Uint8Array(kept) : bytes;
}
