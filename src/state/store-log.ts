/** Hears how it goes with a store that others serve. */
export interface StoreLog {
  info(message: string): void;
  warn(message: string): void;
}
