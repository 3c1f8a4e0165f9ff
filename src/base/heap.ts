import { getHeapStatistics } from 'node:v8';

/** The most that V8 reserves for young objects, which its limit includes. */
const YOUNG_BYTES = 192 * 1024 * 1024;

/** Returns true while values take no more of the heap than {@link heapRoom}. */
export function hasHeapRoom(): boolean {
  return getHeapStatistics().used_heap_size < heapRoom();
}

/** Returns the bytes of the heap that values may take, whatever they are used for. */
export function heapRoom(): number {
  const { heap_size_limit: limit } = getHeapStatistics();
  return Math.max(limit - YOUNG_BYTES, limit / 3);
}
