/** Creates a plant, and retries while the store is unavailable. */
export function addPlant(
  plant: unknown,
  options: { readonly url?: string; readonly fetch?: typeof globalThis.fetch },
): Promise<unknown>;
