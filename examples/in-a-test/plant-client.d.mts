/** Creates a plant, and tries again while the store is unavailable. */
export function addPlant(
  plant: unknown,
  options: { readonly url?: string; readonly fetch?: typeof globalThis.fetch },
): Promise<unknown>;
