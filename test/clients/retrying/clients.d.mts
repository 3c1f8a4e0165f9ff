/** Sends one request, with the retries of the client; different numbers are different requests. */
type Send = (method: 'GET' | 'POST', number: number) => Promise<unknown>;

/** Creates each client for a base URL and a timeout in milliseconds. */
export const clients: Readonly<Record<string, (base: string, timeout: number) => Send>>;
